#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "config/field_reader.hpp"
#include "config/message_text.hpp"
#include "config/nearest_key.hpp"
#include "config/yaml_entries.hpp"
#include "config/yaml_tree.hpp"
#include "ovf/config/yaml.hpp"

namespace ovf {
namespace {

// A message with more mistakes than this helps nobody.
constexpr std::size_t kMostMistakes = 10;

// What is wrong with a key that is not in the schema, or nothing: an empty group is no mistake.
std::string unknown_key_message(const YamlEntry& entry, const std::vector<std::string>& known) {
  for (const std::string& key : known) {
    if (key.starts_with(entry.key + '.')) {
      if (entry.node->kind == YamlNode::Kind::kMap) return "";
      return fmt::format("{} is {}; expected a mapping with keys such as {}", shown(entry.key),
                         shown_value(*entry.node), key.substr(entry.key.size() + 1));
    }
  }
  if (entry.key.find("ros__parameters") != std::string::npos) {
    return fmt::format("unknown key {}; expected ros__parameters directly below one node name",
                       shown(entry.key));
  }
  const std::string nearest = nearest_key(entry.key, known);
  return fmt::format("unknown key {}{}", shown(entry.key),
                     nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest));
}

// In the order of the file.
std::vector<std::string> find_mistakes(const std::vector<YamlEntry>& entries,
                                       const FieldReader& reader, const std::string& source_name) {
  std::vector<std::string> known = reader.known_keys();
  std::sort(known.begin(), known.end());
  std::vector<std::string> mistakes;
  for (const YamlEntry& entry : entries) {
    std::string message;
    if (const std::string* mistake = reader.mistake(entry.key)) {
      message = *mistake;
    } else if (!std::binary_search(known.begin(), known.end(), entry.key)) {
      message = unknown_key_message(entry, reader.known_keys());
    }
    if (message.empty()) continue;
    if (mistakes.size() == kMostMistakes) {
      mistakes.push_back(located(source_name, entry.node->line, "more mistakes from here on"));
      break;
    }
    mistakes.push_back(located(source_name, entry.node->line, message));
  }
  return mistakes;
}

}  // namespace

void read_yaml(const std::string& text, const std::string& source_name, const VisitFields& visit) {
  const YamlNode root = parse_yaml_tree(text, source_name);
  const std::vector<YamlEntry> entries = yaml_entries(root, source_name);
  FieldReader reader(entries);
  visit(reader);
  const std::vector<std::string> mistakes = find_mistakes(entries, reader, source_name);
  if (!mistakes.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(mistakes, "\n")));
  reader.set_fields();
  visit(reader);
}

std::vector<std::string> read_yaml_names(const std::string& text, const std::string& source_name,
                                         const char* key, const NameListRange& range) {
  const YamlNode root = parse_yaml_tree(text, source_name);
  std::vector<YamlEntry> entries = yaml_entries(root, source_name);
  std::erase_if(entries, [key](const YamlEntry& entry) { return entry.key != key; });
  FieldReader reader(entries);
  std::vector<std::string> names;
  reader.field(key, names, range, "");
  const std::vector<std::string> mistakes = find_mistakes(entries, reader, source_name);
  if (!mistakes.empty()) throw std::invalid_argument(mistakes.front());
  reader.set_fields();
  reader.field(key, names, range, "");
  return names;
}

}  // namespace ovf
