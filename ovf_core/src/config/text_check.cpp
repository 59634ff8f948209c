#include "config/text_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "config/message_text.hpp"
#include "ovf/config/yaml.hpp"

namespace ovf {
namespace {

// The length of the UTF-8 character at `first`, or 0 if there is none (RFC 3629).
std::size_t character_length(const std::string& text, std::size_t first) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(first);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() - first < length) return 0;
  std::uint32_t code = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(first + i) & 0xc0) != 0x80) return 0;
    code = (code << 6) | (byte(first + i) & 0x3f);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return overlong || surrogate || code > 0x10ffff ? 0 : length;
}

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
    length = character_length(text, i);
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
