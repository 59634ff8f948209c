#pragma once

#include <filesystem>
#include <string>

namespace ovf {

/// Writes the file such that it is there whole or not at all. Throws RecordingError.
void write_whole(const std::filesystem::path& path, const std::string& text);

}  // namespace ovf
