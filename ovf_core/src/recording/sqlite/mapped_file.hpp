#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace ovf {

/// The bytes of a file, which may be changed here without changing the file. Throws RecordingError.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> bytes_;
};

}  // namespace ovf
