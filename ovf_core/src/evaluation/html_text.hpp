#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace ovf {

/// Safe as text and inside a quoted attribute.
std::string html_escape(std::string_view text);

/// JSON that cannot end the script element it stands in.
std::string script_escape(std::string_view json);

/// For data: addresses.
std::string base64(std::span<const std::uint8_t> bytes);

/// Text with blank lines between paragraphs, escaped, as <p> elements.
std::string html_paragraphs(std::string_view text);

/// Replaces each {{key}} in one pass, so that braces inside a value are left alone. Throws
/// std::logic_error for a key without a value.
std::string fill_template(std::string_view text,
                          const std::map<std::string, std::string_view, std::less<>>& values);

}  // namespace ovf
