#pragma once

#include <filesystem>
#include <string>

namespace ovf {

/// Writes the file such that it is there whole or not at all. Throws RecordingError.
void write_whole(const std::filesystem::path& path, const std::string& text);

/// Makes a folder for results, which must be new or empty. Throws RecordingError.
void prepare_folder(const std::filesystem::path& out);

}  // namespace ovf
