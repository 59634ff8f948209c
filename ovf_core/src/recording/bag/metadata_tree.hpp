#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ovf {

/// A parsed YAML document of bounded size and depth, without aliases.
struct MetadataNode {
  enum class Kind { kEmpty, kScalar, kList, kMap };

  Kind kind = Kind::kEmpty;
  std::string key = {};   ///< in a mapping
  std::string text = {};  ///< of a scalar
  std::vector<MetadataNode> children = {};

  /// The child with the key; nullptr: none.
  const MetadataNode* find(std::string_view name) const;
};

/// Throws RecordingError with source name, line and reason.
MetadataNode parse_metadata_tree(const std::string& text, const std::string& source_name);

/// The node as block YAML, as rosbag2 writes it.
std::string metadata_text(const MetadataNode& node);

/// A scalar in quotes.
std::string yaml_quoted(std::string_view text);

}  // namespace ovf
