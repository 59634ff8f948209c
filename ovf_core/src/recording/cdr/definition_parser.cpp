#include "recording/cdr/definition_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "ovf/config/printable.hpp"
#include "ovf/recording/recording.hpp"
#include "recording/cdr/definition_text.hpp"

namespace ovf {
namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";
constexpr std::array<std::string_view, 13> kBuiltinTypes{
    "bool",  "int8",   "uint8",   "int16",   "uint16", "int32",  "uint32",
    "int64", "uint64", "float32", "float64", "string", "wstring"};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Removes from the text, and returns, what comes before the first of these characters.
std::string_view take_until(std::string_view& text, std::string_view ends) {
  const std::string_view token = text.substr(0, text.find_first_of(ends));
  text.remove_prefix(token.size());
  return token;
}

bool is_separator(std::string_view line) {
  return line.size() >= 3 && line.find_first_not_of('=') == std::string_view::npos;
}

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !text.empty() && letter(text[0]) && std::ranges::all_of(text, [&](char c) {
    return letter(c) || c == '_' || (c >= '0' && c <= '9');
  });
}

bool is_type(std::string_view text) {
  while (text.find('/') != std::string_view::npos) {
    if (!is_name(take_until(text, "/"))) return false;
    text.remove_prefix(1);
  }
  return is_name(text);
}

/// Of a type as written in a message of `package`.
std::string resolved(std::string_view type, std::string_view package) {
  if (type == "byte" || type == "char") return "uint8";
  if (std::ranges::find(kBuiltinTypes, type) != kBuiltinTypes.end()) return std::string(type);
  if (type == "Header") return "std_msgs/Header";
  if (type.find('/') != std::string_view::npos) return definition_name(std::string(type));
  return fmt::format("{}/{}", package, type);
}

/// "", "[]" or "[36]" for what follows the name of a type; nothing if it is none of them.
std::optional<std::string> array_of(std::string_view text) {
  if (text.empty()) return "";
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  if (text.empty()) return "[]";
  const bool bound = text.starts_with("<=");
  if (bound) text.remove_prefix(2);
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return bound ? "[]" : fmt::format("[{}]", count);
}

/// Without a name: a constant. Nothing: not a line of a definition.
std::optional<DefinedField> field_of(std::string_view line, std::string_view package) {
  std::string_view type = take_until(line, kBlanks);
  const std::string_view base = take_until(type, "<[");
  if (!is_type(base)) return std::nullopt;
  if (base.ends_with("string") && type.starts_with("<=")) {
    type.remove_prefix(2);
    const std::string_view bound = take_until(type, "[");
    if (bound.empty() || bound.find_first_not_of("0123456789") != std::string_view::npos) {
      return std::nullopt;
    }
  }
  const std::optional<std::string> array = array_of(type);
  line = trimmed(line);
  const std::string_view name = take_until(line, " \t=#");
  if (!array || !is_name(name)) return std::nullopt;
  if (trimmed(line).starts_with('=')) return DefinedField{};
  return DefinedField{resolved(base, package), *array, std::string(name)};
}

}  // namespace

Definitions parse_definitions(std::string_view text, const std::string& type) {
  Definitions result;
  std::string current = type;
  std::vector<DefinedField>* fields = &result[current];
  // Of a type that comes twice, the first definition counts.
  std::vector<DefinedField> repeated;
  bool expect_title = false;
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = trimmed(take_until(text, "\n"));
    if (!text.empty()) text.remove_prefix(1);
    const auto refuse = [&](std::string_view what) {
      throw RecordingError(fmt::format("{}: line {} of the definition is '{}'; {}", type, number,
                                       printable(line), what));
    };
    if (line.empty() || line.starts_with('#')) continue;
    if (is_separator(line)) {
      expect_title = true;
    } else if (expect_title) {
      const std::string_view title = line.starts_with("MSG:") ? trimmed(line.substr(4)) : "";
      if (!is_type(title)) refuse("'MSG: package/Type' was expected");
      current = definition_name(std::string(title));
      const auto [place, is_new] = result.try_emplace(current);
      repeated.clear();
      fields = is_new ? &place->second : &repeated;
      expect_title = false;
    } else {
      const std::size_t slash = std::min(current.find('/'), current.size());
      std::optional<DefinedField> field = field_of(line, current.substr(0, slash));
      if (!field) refuse("a type and a name were expected");
      if (!field->name.empty()) fields->push_back(std::move(*field));
    }
  }
  return result;
}

}  // namespace ovf
