#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "ovf/recording/recording.hpp"
#include "recording/bag/recording_files.hpp"
#include "recording/bag/unpack_budget.hpp"

namespace ovf {

using OpenFile = std::function<std::unique_ptr<RecordingReader>(const std::filesystem::path&)>;

/// The files of a recording as one stream in the order of time. A file that cannot be opened is a
/// warning; throws RecordingError if that is so for all of them. `open` applies the options. The
/// pool is that of the files.
std::unique_ptr<RecordingReader> merge_files(RecordingFiles files, const ReadOptions& options,
                                             std::shared_ptr<UnpackPool> pool, OpenFile open);

}  // namespace ovf
