#pragma once

#include <cstddef>
#include <string>

#include "ovf/evaluation/report.hpp"

namespace ovf {

/// The longest of header and rows; rows may be shorter.
std::size_t column_count(const Table& table);

/// The cell, or an empty string where the row ends early.
const std::string& cell_or_empty(const std::vector<std::string>& row, std::size_t column);

/// Whether every cell that says something starts like a number: "3.2 ± 0.1", "−4 %", "< 1e-6".
/// Empty cells, dashes, nan, inf and n/a do not decide.
bool is_numeric_column(const Table& table, std::size_t column);

}  // namespace ovf
