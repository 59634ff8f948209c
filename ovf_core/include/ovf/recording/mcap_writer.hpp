#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "ovf/recording/recording.hpp"

namespace ovf {

enum class Compression { kNone, kLz4, kZstd };

struct McapOptions {
  Compression compression = Compression::kZstd;
  /// Bytes of a chunk before compression.
  std::size_t chunk_size = 1 << 20;
};

/// A new MCAP file of the ROS 2 profile, with chunk and message indexes, statistics and summary.
/// The same calls give the same bytes. Throws RecordingError, also if the file exists.
std::unique_ptr<RecordingWriter> create_mcap(const std::filesystem::path& path,
                                             const McapOptions& options = {});

}  // namespace ovf
