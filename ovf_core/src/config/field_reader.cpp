#include "config/field_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "config/message_text.hpp"
#include "config/value_text.hpp"

namespace ovf {
namespace {

// Quoted text is text: "5" is not a number, neither here nor in ROS.
bool is_plain(const YamlNode& node) { return node.kind == YamlNode::Kind::kScalar && !node.quoted; }

// A value of the type and the range, or nothing.
std::optional<int> value_in(const YamlNode& node, const IntRange& range) {
  const auto value = is_plain(node) ? parse_integer<int>(node.text) : std::nullopt;
  return value && range.contains(*value) ? value : std::nullopt;
}

std::optional<double> value_in(const YamlNode& node, const NumberRange& range) {
  const auto value = is_plain(node) ? parse_number(node.text) : std::nullopt;
  return value && range.contains(*value) ? value : std::nullopt;
}

template <typename Value, typename Range>
std::optional<std::vector<Value>> list_in(const YamlNode& node, const Range& range) {
  if (node.kind != YamlNode::Kind::kList) return std::nullopt;
  if (node.children.size() > static_cast<std::size_t>(range.longest)) return std::nullopt;
  std::vector<Value> values;
  for (const YamlNode& child : node.children) {
    const std::optional<Value> value = value_in(child, range.element);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::optional<std::vector<std::string>> value_in(const YamlNode& node, const NameListRange& range) {
  if (node.kind != YamlNode::Kind::kList) return std::nullopt;
  std::vector<std::string> names;
  for (const YamlNode& child : node.children) {
    if (child.kind != YamlNode::Kind::kScalar) return std::nullopt;
    names.push_back(child.text);
  }
  return range.contains(names) ? std::optional(names) : std::nullopt;
}

std::string with_range(const char* type, const std::string& range) {
  return range.empty() ? type : fmt::format("{} ({})", type, range);
}

std::string shown_list(const YamlNode& list) {
  // More elements than a message shows anyway.
  constexpr std::size_t kMost = 80;
  std::vector<std::string> elements;
  for (const YamlNode& child : list.children) {
    if (elements.size() == kMost) break;
    elements.push_back(child.kind == YamlNode::Kind::kList ? "a list" : shown_value(child));
  }
  return shown(fmt::format("[{}]", fmt::join(elements, ", ")));
}

}  // namespace

std::string shown_value(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kScalar:
      return node.quoted ? fmt::format("\"{}\"", shown(node.text)) : shown(node.text);
    case YamlNode::Kind::kList:
      return shown_list(node);
    case YamlNode::Kind::kMap:
      return "a mapping";
    case YamlNode::Kind::kEmpty:
      break;
  }
  return "empty";
}

FieldReader::FieldReader(const std::vector<YamlEntry>& entries) {
  for (const YamlEntry& entry : entries) nodes_.emplace(entry.key, entry.node);
}

const std::string* FieldReader::mistake(const std::string& key) const {
  const auto found = mistakes_.find(key);
  return found == mistakes_.end() ? nullptr : &found->second;
}

const YamlNode* FieldReader::find(const Field& field) {
  if (!set_fields_) known_keys_.push_back(field.key);
  const auto found = nodes_.find(field.key);
  return found == nodes_.end() ? nullptr : found->second;
}

template <typename Value>
void FieldReader::take(const Field& field, const YamlNode& node, const std::optional<Value>& read,
                       Value& value, const std::string& expected) {
  if (!read) {
    mistakes_[field.key] =
        fmt::format("{} is {}; expected {}", field.key, shown_value(node), expected);
  } else if (set_fields_) {
    value = *read;
  }
}

void FieldReader::on_field(const Field& field, bool& value) {
  if (const YamlNode* node = find(field)) {
    const auto read = is_plain(*node) ? parse_bool(node->text) : std::nullopt;
    take(field, *node, read, value, "true or false");
  }
}

void FieldReader::on_field(const Field& field, int& value, const IntRange& range) {
  if (const YamlNode* node = find(field)) {
    take(field, *node, value_in(*node, range), value, with_range("an integer", range.text()));
  }
}

void FieldReader::on_field(const Field& field, double& value, const NumberRange& range) {
  if (const YamlNode* node = find(field)) {
    take(field, *node, value_in(*node, range), value, with_range("a number", range.text()));
  }
}

void FieldReader::on_field(const Field& field, std::uint64_t& value) {
  if (const YamlNode* node = find(field)) {
    auto read = is_plain(*node) ? parse_integer<std::uint64_t>(node->text) : std::nullopt;
    if (read && *read > kLargestUnsigned) read.reset();
    take(field, *node, read, value, fmt::format("an integer (0 to {})", kLargestUnsigned));
  }
}

void FieldReader::on_field(const Field& field, std::string& value) {
  if (const YamlNode* node = find(field)) {
    const bool is_text = node->kind == YamlNode::Kind::kScalar;
    take(field, *node, is_text ? std::optional(node->text) : std::nullopt, value, "text");
  }
}

void FieldReader::on_field(const Field& field, std::vector<int>& value, const IntListRange& range) {
  if (const YamlNode* node = find(field)) {
    take(field, *node, list_in<int>(*node, range), value,
         with_range("a list of integers", range.text()));
  }
}

void FieldReader::on_field(const Field& field, std::vector<double>& value,
                           const NumberListRange& range) {
  if (const YamlNode* node = find(field)) {
    take(field, *node, list_in<double>(*node, range), value,
         with_range("a list of numbers", range.text()));
  }
}

void FieldReader::on_field(const Field& field, std::vector<std::string>& value,
                           const NameListRange& range) {
  if (const YamlNode* node = find(field)) {
    take(field, *node, value_in(*node, range), value, with_range("a list of names", range.text()));
  }
}

void FieldReader::on_choice(const Field& field, std::string& value,
                            const std::vector<std::string>& allowed) {
  if (const YamlNode* node = find(field)) {
    std::optional<std::string> read;
    const bool is_allowed = std::find(allowed.begin(), allowed.end(), node->text) != allowed.end();
    if (node->kind == YamlNode::Kind::kScalar && is_allowed) read = node->text;
    take(field, *node, read, value, fmt::format("one of {}", fmt::join(allowed, ", ")));
  }
}

}  // namespace ovf
