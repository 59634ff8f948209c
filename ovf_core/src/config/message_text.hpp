#pragma once

#include <string>

namespace ovf {

/// "source:line: message"; line 0: the source as a whole.
std::string located(const std::string& source_name, int line, const std::string& message);

/// Throws std::invalid_argument with the located message.
[[noreturn]] void fail_at(const std::string& source_name, int line, const std::string& message);

/// printable, and no longer than a key or a value usually is.
std::string shown(const std::string& text);

}  // namespace ovf
