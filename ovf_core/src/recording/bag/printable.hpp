#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ovf {

/// Text from a file made fit for a message or a terminal: cut to a length for people, and without
/// control characters, which could be escape sequences.
std::string printable(std::string_view text, std::size_t longest = 200);

}  // namespace ovf
