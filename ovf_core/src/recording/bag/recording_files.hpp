#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "recording/bag/bag_metadata.hpp"

namespace ovf {

/// The files that a recording consists of.
struct RecordingFiles {
  std::vector<std::filesystem::path> paths = {};
  BagMetadata metadata = {};  ///< empty without metadata.yaml
  std::vector<std::string> warnings = {};
};

/// `path` is a file or a folder. Throws RecordingError; at least one file is found.
RecordingFiles find_recording_files(const std::filesystem::path& path);

}  // namespace ovf
