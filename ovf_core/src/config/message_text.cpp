#include "config/message_text.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace ovf {
namespace {

constexpr std::size_t kLongest = 80;

// Whether a byte is in the middle of a character of several bytes (UTF-8).
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::string located(const std::string& source_name, int line, const std::string& message) {
  return line > 0 ? fmt::format("{}:{}: {}", source_name, line, message)
                  : fmt::format("{}: {}", source_name, message);
}

void fail_at(const std::string& source_name, int line, const std::string& message) {
  throw std::invalid_argument(located(source_name, line, message));
}

std::string shown(const std::string& text) {
  std::size_t length = text.size();
  if (length > kLongest) {
    length = kLongest;
    while (length > 0 && continues_character(text[length])) --length;
  }
  std::string result;
  for (std::size_t i = 0; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += text[i];
    }
  }
  return length < text.size() ? result + "..." : result;
}

}  // namespace ovf
