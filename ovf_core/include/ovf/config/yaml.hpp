#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "ovf/config/schema.hpp"

namespace ovf {

/// Files and texts beyond this are refused before they are parsed.
inline constexpr std::size_t kLargestConfigBytes = std::size_t{1} << 20;

/// Sets every field whose key is in the text; the others keep their values. The text is a ROS
/// parameter file with one node (`ovf: ros__parameters: ...`, or `/**:`) or the parameters alone;
/// nested mappings and dotted keys mean the same.
///
/// Throws std::invalid_argument and changes nothing if anything is wrong: bad YAML, an unknown or
/// repeated key, a value of the wrong type or out of range. The message has a line for each
/// mistake with source name, line, key, value and what was expected. Any bytes may come in.
void read_yaml(const std::string& text, const std::string& source_name, const VisitFields& visit);

/// The list of names at one key alone, as read_yaml reads it, whatever else the text holds; empty
/// if the key is not there. For configurations whose other keys depend on it.
std::vector<std::string> read_yaml_names(const std::string& text, const std::string& source_name,
                                         const char* key, const NameListRange& range);

/// A ROS parameter file with every field and its meaning. Reading it gives the same values, bit
/// for bit, as long as they are in their ranges.
std::string write_yaml(const std::string& node_name, const VisitFields& visit);

/// The whole file. Throws std::runtime_error with the path and the reason if it cannot be read.
std::string read_config_file(const std::filesystem::path& path);

}  // namespace ovf
