#include "recording/bag/write_whole.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>

#include "ovf/recording/recording.hpp"

namespace ovf {
namespace {

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return fsync(descriptor) == 0;
}

}  // namespace

void write_whole(const std::filesystem::path& path, const std::string& text) {
  const std::string temporary = fmt::format("{}.part", path.string());
  const int descriptor =
      open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
  bool done = descriptor >= 0 && write_all(descriptor, text);
  int error = errno;
  if (descriptor >= 0 && close(descriptor) != 0 && done) {
    done = false;
    error = errno;
  }
  if (done && std::rename(temporary.c_str(), path.c_str()) != 0) {
    done = false;
    error = errno;
  }
  if (done) return;
  if (descriptor >= 0) unlink(temporary.c_str());
  throw RecordingError(
      fmt::format("{}: cannot be written ({}). Check the free space and the "
                  "permissions of its folder.",
                  path.string(), std::generic_category().message(error)));
}

void prepare_folder(const std::filesystem::path& out) {
  std::error_code error;
  std::filesystem::create_directories(out, error);
  if (error || !std::filesystem::is_directory(out)) {
    throw RecordingError(
        fmt::format("{}: cannot be made a folder: {}", out.string(), error.message()));
  }
  if (!std::filesystem::is_empty(out)) {
    throw RecordingError(fmt::format("{}: is not empty; give a new folder", out.string()));
  }
}

}  // namespace ovf
