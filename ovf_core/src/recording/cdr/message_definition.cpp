#include "ovf/recording/message_definition.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>
#include <vector>

#include "ovf/config/printable.hpp"
#include "recording/cdr/definition_parser.hpp"
#include "recording/cdr/definition_text.hpp"

namespace ovf {
namespace {

constexpr std::size_t kLongestDefinition = std::size_t{1} << 20;

/// A type that is still to be compared, and the path of the field that first had it.
struct Part {
  std::string type = {};
  std::string path = {};
};

std::string text_of(const DefinedField& field) {
  return printable(fmt::format("{}{} {}", field.type, field.array, field.name));
}

[[noreturn]] void refuse(const std::string& type, const std::string& path,
                         const std::string& expected, const std::string& found) {
  throw RecordingError(
      fmt::format("{}: the recorded messages have another definition: {}: expected '{}', found "
                  "'{}'; convert the recording to this release of the message",
                  type, printable(path), expected, found));
}

bool is_idl(const std::string& text) {
  return text.starts_with("IDL:") || text.find("\nIDL:") != std::string::npos ||
         text.find("\nmodule ") != std::string::npos;
}

}  // namespace

void check_definition(const std::string& expected, const std::string& found,
                      const std::string& type, std::size_t may_be_absent) {
  if (found.size() > kLongestDefinition) {
    throw RecordingError(fmt::format("{}: the recorded definition has {} bytes; {} is the limit",
                                     type, found.size(), kLongestDefinition));
  }
  if (found.find_first_not_of(" \t\r\n") == std::string::npos || is_idl(found)) return;
  const std::string top = definition_name(type);
  const Definitions ours = parse_definitions(expected, top);
  const Definitions theirs = parse_definitions(found, top);

  // A list instead of recursion, and each type once: a definition may contain itself.
  std::vector<Part> parts{{top, ""}};
  std::set<std::string> seen{top};
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Part part = parts[p];
    const auto our_fields = ours.find(part.type);
    const auto their_fields = theirs.find(part.type);
    if (our_fields == ours.end() || their_fields == theirs.end()) continue;
    const std::vector<DefinedField>& a = our_fields->second;
    const std::vector<DefinedField>& b = their_fields->second;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      if (p == 0 && (i >= a.size() || (i >= b.size() && a.size() - i <= may_be_absent))) break;
      const std::string name = i < a.size() ? a[i].name : b[i].name;
      const std::string path = part.path.empty() ? name : fmt::format("{}.{}", part.path, name);
      if (i >= a.size()) refuse(type, path, "no such field", text_of(b[i]));
      if (i >= b.size()) refuse(type, path, text_of(a[i]), "no such field");
      if (a[i] != b[i]) refuse(type, path, text_of(a[i]), text_of(b[i]));
      if (seen.insert(a[i].type).second) parts.push_back({a[i].type, path});
    }
  }
}

void check_topic(const Topic& topic, const std::string& type, const std::string& expected,
                 std::size_t may_be_absent) {
  if (definition_name(topic.type) != definition_name(type)) {
    throw RecordingError(fmt::format("{}: messages are {}, not {}", printable(topic.name),
                                     printable(topic.type), type));
  }
  if (topic.encoding != "cdr") {
    throw RecordingError(fmt::format("{}: messages are encoded as '{}'; 'cdr' is read",
                                     printable(topic.name), printable(topic.encoding)));
  }
  if (topic.definition_encoding != "ros2msg") return;
  try {
    check_definition(expected, topic.definition, type, may_be_absent);
  } catch (const RecordingError& error) {
    throw RecordingError(fmt::format("{}: {}", printable(topic.name), error.what()));
  }
}

}  // namespace ovf
