#include "config/yaml_entries.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "config/message_text.hpp"

namespace ovf {
namespace {

constexpr const char* kRosParameters = "ros__parameters";

const YamlNode* ros_parameters(const YamlNode& node) {
  for (const YamlNode& child : node.children) {
    if (child.key == kRosParameters) return &child;
  }
  return nullptr;
}

void require_only_child(const YamlNode& parent, const YamlNode& child, const std::string& source) {
  for (const YamlNode& other : parent.children) {
    if (&other == &child) continue;
    fail_at(source, other.line,
            fmt::format("{} stands beside {}; expected one node with {} and nothing else",
                        shown(other.key), shown(child.key), kRosParameters));
  }
}

const YamlNode& parameters_in(const YamlNode& root, const std::string& source) {
  for (const YamlNode& node : root.children) {
    const YamlNode* const parameters = ros_parameters(node);
    if (parameters == nullptr) continue;
    require_only_child(root, node, source);
    require_only_child(node, *parameters, source);
    return *parameters;
  }
  return root;
}

void require_mapping(const YamlNode& node, const std::string& source) {
  if (node.kind == YamlNode::Kind::kMap) return;
  const bool no_document = node.kind == YamlNode::Kind::kEmpty && node.key.empty();
  fail_at(source, no_document ? 0 : node.line,
          fmt::format("{} {}; expected a mapping of parameters, `key: value`",
                      node.key.empty() ? "the file" : node.key,
                      node.kind == YamlNode::Kind::kEmpty  ? "is empty"
                      : node.kind == YamlNode::Kind::kList ? "is a list"
                                                           : "is " + shown(node.text)));
}

class Flattener {
 public:
  explicit Flattener(const std::string& source) : source_(source) {}

  void add(const std::string& prefix, const YamlNode& mapping) {
    for (const YamlNode& child : mapping.children) {
      std::string key = prefix + child.key;
      if (child.kind == YamlNode::Kind::kMap && !child.children.empty()) {
        add(key + '.', child);
      } else {
        add_entry(std::move(key), child);
      }
    }
  }

  std::vector<YamlEntry> entries;

 private:
  void add_entry(std::string key, const YamlNode& node) {
    const auto [first, is_new] = lines_.emplace(key, node.line);
    if (!is_new) {
      fail_at(source_, node.line,
              fmt::format("duplicate key {}, first in line {}", shown(key), first->second));
    }
    entries.push_back({std::move(key), &node});
  }

  const std::string& source_;
  std::unordered_map<std::string, int> lines_;
};

}  // namespace

std::vector<YamlEntry> yaml_entries(const YamlNode& root, const std::string& source_name) {
  require_mapping(root, source_name);
  const YamlNode& parameters = parameters_in(root, source_name);
  require_mapping(parameters, source_name);
  Flattener flattener(source_name);
  flattener.add("", parameters);
  return std::move(flattener.entries);
}

}  // namespace ovf
