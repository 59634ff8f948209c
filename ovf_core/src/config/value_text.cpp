#include "config/value_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>

namespace ovf {
namespace {

template <typename Value>
std::optional<Value> parse_all(const std::string& text) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  // std::from_chars takes a minus sign but no plus sign.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') ++begin;
  Value value{};
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::string number_text(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value < 0.0 ? "-.inf" : ".inf";
  std::string text = fmt::format("{}", value);
  if (text.find('.') == std::string::npos) {
    const std::size_t exponent = text.find('e');
    text.insert(exponent == std::string::npos ? text.size() : exponent, ".0");
  }
  return text;
}

std::string quoted_text(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      text += c;
    }
  }
  return text + '"';
}

std::string list_text(const std::vector<int>& values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

std::string list_text(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + number_text(value);
  return "[" + text + "]";
}

template <typename Integer>
std::optional<Integer> parse_integer(const std::string& text) {
  return parse_all<Integer>(text);
}

template std::optional<int> parse_integer(const std::string& text);
template std::optional<std::uint64_t> parse_integer(const std::string& text);

std::optional<double> parse_number(const std::string& text) {
  const std::optional<double> value = parse_all<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<bool> parse_bool(const std::string& text) {
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  return std::nullopt;
}

}  // namespace ovf
