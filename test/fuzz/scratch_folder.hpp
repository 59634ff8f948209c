#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace ovf {

/// A folder of this process in memory, for what is read from files.
inline const std::filesystem::path& scratch_folder() {
  static const std::filesystem::path folder = [] {
    const std::filesystem::path path = "/dev/shm/ovf_fuzz_" + std::to_string(getpid());
    std::filesystem::create_directories(path);
    std::atexit([] {
      std::error_code ignored;
      std::filesystem::remove_all("/dev/shm/ovf_fuzz_" + std::to_string(getpid()), ignored);
    });
    return path;
  }();
  return folder;
}

inline void write_bytes(const std::filesystem::path& path, const std::uint8_t* data,
                        std::size_t size) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
}

}  // namespace ovf
