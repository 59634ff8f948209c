#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ovf {

/// Foreign text (names of topics, types, files, frames, pictures, figures) made fit for a message
/// or a terminal: cut to a length for people, and everything that a terminal may act on is escaped:
/// control characters, also those beyond ASCII, marks that change the direction of writing, line
/// breaks, and bytes that are no UTF-8.
std::string printable(std::string_view text, std::size_t longest = 200);

/// The same for a whole message, which may have several lines: each after the first is indented, so
/// that no name with a line break in it looks like a line of its own.
std::string printable_lines(std::string_view text);

}  // namespace ovf
