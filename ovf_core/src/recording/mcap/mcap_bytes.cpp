#include "recording/mcap/mcap_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "ovf/recording/recording.hpp"

namespace ovf {
namespace {

/// A file with one window of it in memory, since records are mostly small and side by side.
class FileBytes final : public ByteSource {
 public:
  explicit FileBytes(const std::filesystem::path& path) : name_(path.string()) {
    // Not blocking: a named pipe is refused below instead of waited for.
    descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor_ < 0) fail(std::generic_category().message(errno));
    struct stat status {};
    const bool known = fstat(descriptor_, &status) == 0;
    if (!known || !S_ISREG(status.st_mode)) {
      close(descriptor_);
      fail("it is not a file");
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
  ~FileBytes() override { close(descriptor_); }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return size_; }

  bool read(std::uint64_t offset, std::span<std::byte> out) override {
    if (offset > size_ || out.size() > size_ - offset) return false;
    if (out.size() > kWindow / 2) return read_file(offset, out);
    if (offset < begin_ || offset + out.size() > begin_ + window_.size()) {
      const std::size_t count = std::min<std::uint64_t>(kWindow, size_ - offset);
      window_.resize(count);
      begin_ = offset;
      if (!read_file(offset, window_)) {
        window_.clear();
        return read_file(offset, out);
      }
    }
    std::copy_n(window_.begin() + static_cast<std::ptrdiff_t>(offset - begin_), out.size(),
                out.begin());
    return true;
  }

 private:
  static constexpr std::size_t kWindow = 1U << 16;

  [[noreturn]] void fail(const std::string& reason) const {
    throw RecordingError(
        fmt::format("{}: cannot be opened ({}). Give an .mcap file that exists and may be read",
                    name_, reason));
  }

  bool read_file(std::uint64_t offset, std::span<std::byte> out) const {
    while (!out.empty()) {
      const ssize_t count = pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      offset += static_cast<std::uint64_t>(count);
      out = out.subspan(static_cast<std::size_t>(count));
    }
    return true;
  }

  std::string name_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t begin_ = 0;
  std::vector<std::byte> window_ = {};
};

class MemoryBytes final : public ByteSource {
 public:
  MemoryBytes(std::string name, std::span<const std::byte> bytes)
      : name_(std::move(name)), bytes_(bytes) {}

  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return bytes_.size(); }
  bool read(std::uint64_t offset, std::span<std::byte> out) override {
    if (offset > bytes_.size() || out.size() > bytes_.size() - offset) return false;
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
    return true;
  }

 private:
  std::string name_;
  std::span<const std::byte> bytes_;
};

}  // namespace

std::unique_ptr<ByteSource> open_file_bytes(const std::filesystem::path& path) {
  return std::make_unique<FileBytes>(path);
}

std::unique_ptr<ByteSource> memory_bytes(std::string name, std::span<const std::byte> bytes) {
  return std::make_unique<MemoryBytes>(std::move(name), bytes);
}

}  // namespace ovf
