#include "recording/bag/printable.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ovf {

std::string printable(std::string_view text, std::size_t longest) {
  std::size_t length = std::min(text.size(), longest);
  // Not in the middle of a character (UTF-8).
  while (length < text.size() && length > 0 &&
         (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) {
    --length;
  }
  std::string result;
  for (const char c : text.substr(0, length)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  if (length < text.size()) result += "...";
  return result;
}

}  // namespace ovf
