#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace ovf {

// A few bytes can unpack to gigabytes. What a file may unpack to grows with its size, beyond what
// compression makes of sensor data, and a fixed part is for small files with long runs of zeros.

/// Unpacked bytes for each byte of a file, of a chunk, of a message.
inline constexpr std::uint64_t kUnpackedPerByte = 200;
/// Beyond these: in a file, in all files of a recording together, in a single chunk or message.
inline constexpr std::uint64_t kSpareOfFile = std::uint64_t{256} << 20;
inline constexpr std::uint64_t kSpareOfRecording = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kSpareOfPiece = std::uint64_t{128} << 20;
/// Bytes of chunks in memory at once, of all files together.
inline constexpr std::uint64_t kMostHeldBytes = std::uint64_t{1} << 30;

inline constexpr const char* kUnpackAdvice =
    "If it is meant to be so large, decompress it first (`ros2 bag convert` without compression)";

/// What the files of a recording share.
struct UnpackPool {
  std::uint64_t spare = kSpareOfRecording;
  /// For going over files that have no index, before their messages are read.
  std::uint64_t index_spare = kSpareOfRecording;
  std::uint64_t held = 0;  ///< in memory now
};

/// How many bytes one file may still unpack to.
class UnpackBudget {
 public:
  UnpackBudget(std::uint64_t file_size, std::shared_ptr<UnpackPool> pool,
               std::uint64_t UnpackPool::*shared = &UnpackPool::spare)
      : own_(file_size > UINT64_MAX / kUnpackedPerByte ? UINT64_MAX : file_size * kUnpackedPerByte),
        pool_(std::move(pool)),
        shared_(shared) {}

  std::uint64_t left() const {
    const std::uint64_t spare = std::min(spare_, *pool_.*shared_);
    return own_ > UINT64_MAX - spare ? UINT64_MAX : own_ + spare;
  }
  /// The most that a chunk or message of so many packed bytes may unpack to.
  std::uint64_t largest_piece(std::uint64_t packed) const {
    return packed > (UINT64_MAX - kSpareOfPiece) / kUnpackedPerByte
               ? UINT64_MAX
               : kSpareOfPiece + kUnpackedPerByte * packed;
  }
  /// No more than are left.
  void spend(std::uint64_t bytes) {
    const std::uint64_t own = std::min(own_, bytes);
    own_ -= own;
    spare_ -= bytes - own;
    *pool_.*shared_ -= bytes - own;
  }

  const std::shared_ptr<UnpackPool>& pool() const { return pool_; }

 private:
  std::uint64_t own_;
  std::uint64_t spare_ = kSpareOfFile;
  std::shared_ptr<UnpackPool> pool_;
  std::uint64_t UnpackPool::*shared_;
};

/// Bytes in memory, as long as it lives.
class HeldBytes {
 public:
  HeldBytes(std::shared_ptr<UnpackPool> pool, std::uint64_t bytes)
      : pool_(std::move(pool)), bytes_(bytes) {
    pool_->held += bytes_;
  }
  ~HeldBytes() { pool_->held -= bytes_; }
  HeldBytes(const HeldBytes&) = delete;
  HeldBytes& operator=(const HeldBytes&) = delete;

 private:
  std::shared_ptr<UnpackPool> pool_;
  std::uint64_t bytes_;
};

}  // namespace ovf
