#include "config/nearest_key.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace ovf {
namespace {

// No key is nearly as long; bounds the cost of the comparison.
constexpr std::size_t kLongest = 100;

// Insertions, deletions and replacements that make b of a (Levenshtein).
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

std::string last_name(const std::string& key) { return key.substr(key.rfind('.') + 1); }

}  // namespace

std::string nearest_key(const std::string& unknown, const std::vector<std::string>& known) {
  if (unknown.size() > kLongest) return "";
  std::string nearest;
  std::string namesake;
  std::size_t least = std::max<std::size_t>(1, unknown.size() / 3) + 1;
  std::size_t least_of_namesakes = kLongest;
  for (const std::string& key : known) {
    const std::size_t distance = edit_distance(unknown, key);
    if (distance < least) {
      least = distance;
      nearest = key;
    }
    if (distance < least_of_namesakes && last_name(key) == last_name(unknown)) {
      least_of_namesakes = distance;
      namesake = key;
    }
  }
  return namesake.empty() ? nearest : namesake;
}

}  // namespace ovf
