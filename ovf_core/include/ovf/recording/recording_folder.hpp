#pragma once

#include <filesystem>
#include <memory>

#include "ovf/recording/mcap_writer.hpp"
#include "ovf/recording/recording.hpp"

namespace ovf {

/// A new rosbag2 folder <path> with <name>_0.mcap and metadata.yaml, as `ros2 bag` reads it. Throws
/// RecordingError, also if the folder exists and is not empty.
std::unique_ptr<RecordingWriter> create_recording(const std::filesystem::path& path,
                                                  const McapOptions& options = {});

}  // namespace ovf
