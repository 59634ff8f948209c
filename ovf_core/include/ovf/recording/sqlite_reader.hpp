#pragma once

#include <filesystem>
#include <memory>

#include "ovf/recording/recording.hpp"

namespace ovf {

/// One .db3 file of rosbag2, of any version of its schema; opened for reading only. Throws
/// RecordingError.
std::unique_ptr<RecordingReader> open_sqlite(const std::filesystem::path& path,
                                             const ReadOptions& options = {});

}  // namespace ovf
