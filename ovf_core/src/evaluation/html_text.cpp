#include "evaluation/html_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace ovf {

std::string html_escape(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string script_escape(std::string_view json) {
  std::string escaped;
  escaped.reserve(json.size());
  for (const char c : json) {
    // In JSON these characters stand only inside strings, where the escaped form means the same.
    if (c == '<' || c == '>' || c == '&') {
      escaped += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) bits = (bits << 8U) | (k < count ? bytes[at + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? kDigits[(bits >> (18U - 6U * k)) & 63U] : '=';
    }
  }
  return text;
}

std::string html_paragraphs(std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const std::size_t end = text.find("\n\n");
    const std::string_view paragraph = text.substr(0, end);
    if (paragraph.find_first_not_of(" \t\r\n") != std::string_view::npos) {
      html += fmt::format("<p>{}</p>\n", html_escape(paragraph));
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
  }
  return html;
}

std::string fill_template(std::string_view text,
                          const std::map<std::string, std::string_view, std::less<>>& values) {
  std::string filled;
  for (;;) {
    const std::size_t begin = text.find("{{");
    const std::size_t end = text.find("}}", begin == std::string_view::npos ? begin : begin + 2);
    if (end == std::string_view::npos) break;
    const std::string_view key = text.substr(begin + 2, end - begin - 2);
    const auto value = values.find(key);
    if (value == values.end()) {
      throw std::logic_error(fmt::format("the page template asks for unknown '{}'", key));
    }
    filled += text.substr(0, begin);
    filled += value->second;
    text.remove_prefix(end + 2);
  }
  filled += text;
  return filled;
}

}  // namespace ovf
