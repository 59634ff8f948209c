#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ovf {

/// A line of a definition, in the one form that different spellings have in common.
struct DefinedField {
  std::string type = {};   ///< float64, geometry_msgs/Pose
  std::string array = {};  ///< "", "[]", "[36]"
  std::string name = {};

  bool operator==(const DefinedField&) const = default;
};

/// Fields by type. What does not change the bytes of a message is left out: constants, default
/// values, bounds of text and of sequences.
using Definitions = std::unordered_map<std::string, std::vector<DefinedField>>;

/// A text as recordings keep it (ros2msg), of a message of this type (package/Name). Throws
/// RecordingError that cites the line.
Definitions parse_definitions(std::string_view text, const std::string& type);

}  // namespace ovf
