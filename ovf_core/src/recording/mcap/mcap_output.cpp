#include "recording/mcap/mcap_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "math/crc32.hpp"
#include "ovf/recording/recording.hpp"

namespace ovf::mcap {

void RecordBytes::integer(std::uint64_t value, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) {
    bytes_.push_back(static_cast<std::byte>((value >> (8U * k)) & 0xffU));
  }
}

void RecordBytes::bytes(std::span<const std::byte> value) {
  bytes_.insert(bytes_.end(), value.begin(), value.end());
}

void RecordBytes::text(std::string_view value) {
  u32(static_cast<std::uint32_t>(value.size()));
  bytes(std::as_bytes(std::span(value)));
}

void RecordBytes::begin(Op op) {
  u8(static_cast<std::uint8_t>(op));
  length_at_ = bytes_.size();
  u64(0);
}

void RecordBytes::end() {
  const std::uint64_t length = bytes_.size() - length_at_ - sizeof(std::uint64_t);
  for (std::size_t k = 0; k < sizeof(length); ++k) {
    bytes_[length_at_ + k] = static_cast<std::byte>((length >> (8U * k)) & 0xffU);
  }
}

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor_ < 0) fail("created", errno);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::fail(std::string_view action, int error) {
  error_ = error;
  const char* advice = error == EEXIST ? "Give a name that is not there yet"
                                       : "Check its folder and the free space; what was written "
                                         "of the recording before is kept and readable";
  throw RecordingError(fmt::format("{}: cannot be {} at byte {} ({}). {}", path_.string(), action,
                                   size_, std::generic_category().message(error), advice));
}

void OutputFile::require_sound() {
  if (failed()) fail("written", error_);
}

void OutputFile::write(std::span<const std::byte> bytes) {
  require_sound();
  crc_ = crc32(bytes, crc_);
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail("written", count < 0 ? errno : ENOSPC);
    size_ += static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void OutputFile::close() {
  require_sound();
  // Some file systems find out only now that there is no room.
  if (fsync(descriptor_) != 0 && errno != EINVAL) fail("completed", errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("completed", errno);
}

}  // namespace ovf::mcap
