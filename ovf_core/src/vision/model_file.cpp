#include "vision/model_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "ovf/vision/stored_image_model.hpp"

namespace ovf {

std::string read_model_file(const std::filesystem::path& path, std::uintmax_t largest) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    throw ImageModelError(fmt::format(
        "{}: there is no such file. Is this the folder of a model, and was it copied completely?",
        path.string()));
  }
  if (!std::filesystem::is_regular_file(status)) {
    throw ImageModelError(fmt::format("{}: expected a plain file", path.string()));
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) {
    throw ImageModelError(fmt::format("{}: cannot be read ({})", path.string(), error.message()));
  }
  if (size > largest) {
    throw ImageModelError(fmt::format("{}: {} bytes; at most {} are expected", path.string(), size,
                                      largest));
  }
  std::string bytes(size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size))) {
    throw ImageModelError(
        fmt::format("{}: cannot be read to its end; check its permissions", path.string()));
  }
  return bytes;
}

void write_model_file(const std::filesystem::path& path, std::string_view bytes) {
  const int descriptor =
      open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
  bool done = descriptor >= 0;
  int reason = errno;
  while (done && !bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    done = count >= 0;
    reason = errno;
    if (done) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  if (done && fsync(descriptor) != 0) {
    done = false;
    reason = errno;
  }
  if (descriptor >= 0 && close(descriptor) != 0 && done) {
    done = false;
    reason = errno;
  }
  if (done) return;
  throw ImageModelError(fmt::format(
      "{}: cannot be written ({}). Check the free space and the permissions of its folder.",
      path.string(), std::generic_category().message(reason)));
}

}  // namespace ovf
