#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recording/mcap/mcap_records.hpp"

namespace ovf::mcap {

/// Records as bytes.
class RecordBytes {
 public:
  /// Everything up to end() is the record's content.
  void begin(Op op);
  void end();

  void u8(std::uint8_t value) { integer(value, 1); }
  void u16(std::uint16_t value) { integer(value, 2); }
  void u32(std::uint32_t value) { integer(value, 4); }
  void u64(std::uint64_t value) { integer(value, 8); }
  void bytes(std::span<const std::byte> value);
  /// With its length before it.
  void text(std::string_view value);

  std::span<const std::byte> view() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }
  void clear() { bytes_.clear(); }

 private:
  void integer(std::uint64_t value, std::size_t size);

  std::vector<std::byte> bytes_ = {};
  std::size_t length_at_ = 0;
};

/// A new file that is written from front to back. Whatever goes wrong is a RecordingError.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::span<const std::byte> bytes);
  /// The bytes have reached the disk after it.
  void close();

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  /// CRC32 of all of it.
  std::uint32_t crc() const { return crc_; }
  /// A write has failed; all further ones do so too.
  bool failed() const { return error_ != 0; }
  void require_sound();

 private:
  [[noreturn]] void fail(std::string_view action, int error);

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint32_t crc_ = 0;
  int error_ = 0;
};

}  // namespace ovf::mcap
