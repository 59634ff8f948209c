#include "config/text_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/message_text.hpp"
#include "config/utf8.hpp"
#include "ovf/config/yaml.hpp"

namespace ovf {
namespace {

bool is_control(unsigned char byte) {
  return byte == 0x7f || (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r');
}

}  // namespace

void check_text(const std::string& text, const std::string& source_name) {
  if (text.size() > kLargestConfigBytes) {
    fail_at(source_name, 0,
            fmt::format("has {} bytes; expected at most {}", text.size(), kLargestConfigBytes));
  }
  std::size_t length = 0;
  for (std::size_t i = 0; i < text.size(); i += length) {
    length = utf8_character(text, i).length;
    const auto byte = static_cast<unsigned char>(text[i]);
    if (length > 0 && !is_control(byte)) continue;
    const auto here = text.begin() + static_cast<std::ptrdiff_t>(i);
    const int line = 1 + static_cast<int>(std::count(text.begin(), here, '\n'));
    fail_at(
        source_name, line,
        fmt::format("has the byte 0x{:02x}; expected UTF-8 text without control characters", byte));
  }
}

}  // namespace ovf
