#pragma once

#include <string>
#include <vector>

#include "config/yaml_tree.hpp"

namespace ovf {

/// A value with its dotted key; points into the tree.
struct YamlEntry {
  std::string key;
  const YamlNode* node;
};

/// The parameters in a tree, in the order of the file: those below `<node>: ros__parameters:`, or
/// the whole of it. A mapping counts as a value only if it is empty. Throws std::invalid_argument
/// on several nodes, a top level that is no mapping, and keys that are the same when dotted.
std::vector<YamlEntry> yaml_entries(const YamlNode& root, const std::string& source_name);

}  // namespace ovf
