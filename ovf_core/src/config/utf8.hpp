#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ovf {

struct Utf8Character {
  std::size_t length = 0;  ///< bytes; 0: there is no character (RFC 3629)
  std::uint32_t code = 0;
};

/// The character at the byte `first`.
Utf8Character utf8_character(std::string_view text, std::size_t first);

}  // namespace ovf
