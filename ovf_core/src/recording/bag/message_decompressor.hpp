#pragma once

#include <zstd.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "recording/bag/unpack_budget.hpp"

namespace ovf {

/// Whether the bytes begin like a zstd frame, which no CDR message does.
bool is_zstd(std::span<const std::byte> bytes);

/// Why a message is left out.
inline constexpr const char* kNotDecompressed =
    "it cannot be decompressed, or is larger than the size of the recording warrants";

/// Messages that rosbag2 compressed one by one (compression_mode: message).
class MessageDecompressor {
 public:
  /// Valid until the next call. False: damaged, or more than the budget or 1 GiB.
  bool decompress(std::span<const std::byte> frame, UnpackBudget& budget,
                  std::span<const std::byte>& message);

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  std::unique_ptr<ZSTD_DCtx, Free> context_;
  std::vector<std::byte> message_;
};

}  // namespace ovf
