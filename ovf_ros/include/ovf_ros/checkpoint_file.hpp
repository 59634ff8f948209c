#pragma once

#include <filesystem>
#include <string>

namespace ovf_ros {

/// The file that a service names, or else the configured one. Throws std::invalid_argument without
/// either.
std::string checkpoint_file(const std::string& named, const std::string& configured);

/// Renames a file that does not fit so that it is not written over: it may be the one of another
/// configuration. Returns where it is now.
std::filesystem::path set_aside(const std::filesystem::path& file);

}  // namespace ovf_ros
