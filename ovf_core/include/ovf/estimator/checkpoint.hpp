#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace ovf {

/// A state that outlives the program.
struct Checkpoint {
  /// Says of which model, sensors and configuration the state is.
  std::string fingerprint;
  std::vector<std::byte> bytes;
};

inline constexpr std::size_t kLargestCheckpoint = std::size_t{256} << 20;  ///< bytes of a file

/// Replaces the file as one: whenever the program or the machine stops, the path holds the old
/// checkpoint or the new one. What a stopped program left beside it is reused. Throws
/// std::runtime_error naming the path, what went wrong (a second writer at the same time, too) and
/// what to do.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// A checkpoint with this fingerprint. Throws std::runtime_error naming the path and what is wrong:
/// not there, not a checkpoint, another version, damaged, or of another fingerprint.
Checkpoint read_checkpoint(const std::filesystem::path& path, const std::string& fingerprint);

}  // namespace ovf
