#include "ovf/config/printable.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "config/utf8.hpp"

namespace ovf {
namespace {

constexpr std::size_t kLongestLine = 4000;
constexpr std::size_t kMostLines = 1000;

bool may_act_on_terminal(std::uint32_t code) {
  const bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool breaks_line = code == 0x2028 || code == 0x2029;
  const bool turns_direction = (code >= 0x202a && code <= 0x202e) ||
                               (code >= 0x2066 && code <= 0x2069) || code == 0x200e ||
                               code == 0x200f || code == 0x061c;
  return is_control || breaks_line || turns_direction;
}

}  // namespace

std::string printable(std::string_view text, std::size_t longest) {
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    const Utf8Character character = utf8_character(text, at);
    const std::size_t length = character.length > 0 ? character.length : 1;
    if (at + length > longest) break;
    const bool is_safe = character.length > 0 && !may_act_on_terminal(character.code);
    for (const char c : text.substr(at, length)) {
      if (is_safe) {
        result += c;
      } else {
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
      }
    }
    at += length;
  }
  return at < text.size() ? result + "..." : result;
}

std::string printable_lines(std::string_view text) {
  std::string result;
  for (std::size_t line = 0; line < kMostLines; ++line) {
    const std::size_t end = text.find('\n');
    result += printable(text.substr(0, end), kLongestLine);
    if (end == std::string_view::npos || end + 1 == text.size()) return result;
    result += "\n  ";
    text.remove_prefix(end + 1);
  }
  return result + "...";
}

}  // namespace ovf
