#include "recording/sqlite/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "ovf/recording/recording.hpp"

namespace ovf {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status {};
  void* start = MAP_FAILED;
  std::size_t size = 0;
  if (descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_size > 0) {
    size = static_cast<std::size_t>(status.st_size);
    start = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, descriptor, 0);
  }
  const int error = errno;
  if (descriptor >= 0) close(descriptor);
  if (start == MAP_FAILED) {
    throw RecordingError(fmt::format("{}: cannot be read ({}). Check the path and its permissions.",
                                     path.string(), std::generic_category().message(error)));
  }
  bytes_ = {static_cast<std::byte*>(start), size};
}

MappedFile::~MappedFile() { munmap(bytes_.data(), bytes_.size()); }

}  // namespace ovf
