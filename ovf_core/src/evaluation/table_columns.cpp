#include "evaluation/table_columns.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace ovf {
namespace {

bool says_nothing(std::string_view cell) {
  constexpr std::array<std::string_view, 9> kPlaceholders = {"",    "-",   "–",   "—",   "nan",
                                                             "NaN", "n/a", "inf", "-inf"};
  return std::find(kPlaceholders.begin(), kPlaceholders.end(), cell) != kPlaceholders.end();
}

bool starts_like_number(std::string_view cell) {
  constexpr std::array<std::string_view, 12> kPrefixes = {" ", "+", "-", "−", "±", "<",
                                                          ">", "≤", "≥", "≈", "~", "."};
  for (bool stripped = true; stripped;) {
    stripped = false;
    for (const std::string_view prefix : kPrefixes) {
      if (!cell.starts_with(prefix)) continue;
      cell.remove_prefix(prefix.size());
      stripped = true;
    }
  }
  return !cell.empty() && cell.front() >= '0' && cell.front() <= '9';
}

}  // namespace

std::size_t column_count(const Table& table) {
  std::size_t count = table.header.size();
  for (const auto& row : table.rows) count = std::max(count, row.size());
  return count;
}

const std::string& cell_or_empty(const std::vector<std::string>& row, std::size_t column) {
  static const std::string kEmpty;
  return column < row.size() ? row[column] : kEmpty;
}

bool is_numeric_column(const Table& table, std::size_t column) {
  bool has_number = false;
  for (const auto& row : table.rows) {
    const std::string& cell = cell_or_empty(row, column);
    if (says_nothing(cell)) continue;
    if (!starts_like_number(cell)) return false;
    has_number = true;
  }
  return has_number;
}

}  // namespace ovf
