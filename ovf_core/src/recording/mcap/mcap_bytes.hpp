#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace ovf {

/// Random access to the bytes of a recording.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// For messages to people.
  virtual const std::string& name() const = 0;
  virtual std::uint64_t size() const = 0;
  /// Fills `out` with the bytes from `offset` on; false if there are too few, or they cannot be
  /// read.
  virtual bool read(std::uint64_t offset, std::span<std::byte> out) = 0;
};

/// Throws RecordingError.
std::unique_ptr<ByteSource> open_file_bytes(const std::filesystem::path& path);

/// The bytes have to outlive it.
std::unique_ptr<ByteSource> memory_bytes(std::string name, std::span<const std::byte> bytes);

}  // namespace ovf
