#pragma once

#include <string>
#include <vector>

namespace ovf {

/// A parsed YAML document without anchors, aliases and tags: a tree of bounded size and depth.
struct YamlNode {
  enum class Kind { kEmpty, kScalar, kList, kMap };

  Kind kind = Kind::kEmpty;
  /// Of its key in a mapping, else of its own beginning; from 1.
  int line = 0;
  /// In a mapping, its key there; distinct among its siblings.
  std::string key;
  /// Of a scalar.
  std::string text;
  bool quoted = false;
  /// Of a list or a mapping.
  std::vector<YamlNode> children;
};

/// Throws std::invalid_argument with source name, line and reason. Empty: no document.
YamlNode parse_yaml_tree(const std::string& text, const std::string& source_name);

}  // namespace ovf
