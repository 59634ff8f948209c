#include <fmt/format.h>

#include <stdexcept>

#include "ovf/config/parameter_list.hpp"
#include "ovf/config/yaml.hpp"

namespace ovf {
namespace {

bool is_node_name(const std::string& name) {
  const char* const first = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_/";
  const std::string all = std::string(first) + "0123456789*";
  return name.find_first_of(first) == 0 && name.find_first_not_of(all) == std::string::npos;
}

// The names of the groups around a key, and its own.
std::vector<std::string> names_of(const std::string& key) {
  std::vector<std::string> names(1);
  for (const char c : key) {
    if (c == '.') {
      names.emplace_back();
    } else {
      names.back() += c;
    }
  }
  return names;
}

std::string indentation(std::size_t depth) { return std::string(4 + 2 * depth, ' '); }

}  // namespace

std::string write_yaml(const std::string& node_name, const VisitFields& visit) {
  if (!is_node_name(node_name)) {
    throw std::invalid_argument(
        fmt::format("node name is '{}'; expected letters, digits, _ and /, or /**", node_name));
  }
  std::string text = fmt::format("{}:\n  ros__parameters:\n", node_name);
  const std::vector<Parameter> parameters = list_parameters(visit);
  if (parameters.empty()) return fmt::format("{}:\n  ros__parameters: {{}}\n", node_name);

  std::vector<std::string> groups;
  for (const Parameter& parameter : parameters) {
    std::vector<std::string> names = names_of(parameter.key);
    const std::string name = names.back();
    names.pop_back();
    std::size_t depth = 0;
    while (depth < groups.size() && depth < names.size() && groups[depth] == names[depth]) ++depth;
    for (; depth < names.size(); ++depth) {
      text += fmt::format("{}{}:\n", indentation(depth), names[depth]);
    }
    groups = names;
    text +=
        fmt::format("{}{}: {}  # {}{}\n", indentation(depth), name, parameter.value, parameter.doc,
                    parameter.range.empty() ? "" : fmt::format(" [{}]", parameter.range));
  }
  return text;
}

}  // namespace ovf
