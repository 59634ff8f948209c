#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "ovf/recording/recording.hpp"
#include "recording/bag/recording_files.hpp"

namespace ovf {

using OpenFile = std::function<std::unique_ptr<RecordingReader>(const std::filesystem::path&)>;

/// The files of a recording as one stream in the order of time. A file that cannot be opened is a
/// warning; throws RecordingError if that is so for all of them. `open` applies the options.
std::unique_ptr<RecordingReader> merge_files(RecordingFiles files, const ReadOptions& options,
                                             OpenFile open);

}  // namespace ovf
