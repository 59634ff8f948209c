#pragma once

#include <filesystem>
#include <memory>

#include "ovf/recording/recording.hpp"

namespace ovf {

/// One MCAP file: chunks uncompressed, lz4 or zstd, or none; with its summary, or unfinished, in
/// which case the file is gone over once to find the chunks. Throws RecordingError.
///
/// A chunk is in memory from its first message to its last, so memory is that of the chunks which
/// overlap in time, besides a few dozen bytes for every chunk of the file. If more than 256 MiB
/// overlap, messages come chunk by chunk instead of in the order of their log times, with a
/// warning; and messages outside of chunks that are not in order come in that of the file.
std::unique_ptr<RecordingReader> open_mcap(const std::filesystem::path& path,
                                           const ReadOptions& options = {});

}  // namespace ovf
