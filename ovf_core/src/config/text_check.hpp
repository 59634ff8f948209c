#pragma once

#include <string>

namespace ovf {

/// Throws std::invalid_argument unless the text is UTF-8 of acceptable size without control
/// characters: yaml-cpp would stop at some of them without a word, and guess at other encodings.
void check_text(const std::string& text, const std::string& source_name);

}  // namespace ovf
