#include "recording/bag/natural_order.hpp"

#include <cstddef>
#include <string_view>

namespace ovf {

bool comes_before(const std::string& a, const std::string& b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  // Numbers without leading zeros: the longer one is larger.
  const auto number_at = [&](const std::string& text, std::size_t& at) {
    while (at < text.size() && text[at] == '0') ++at;
    const std::size_t first = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return std::string_view(text).substr(first, at - first);
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const auto x = number_at(a, i);
      const auto y = number_at(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  const bool both_end = i == a.size() && j == b.size();
  return both_end ? a < b : i == a.size();
}

}  // namespace ovf
