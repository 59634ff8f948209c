#pragma once

#include <string>

#include "ovf/evaluation/report.hpp"

namespace ovf {

/// The table as aligned UTF-8 text for a terminal: title, header, rule, rows, caption. Columns of
/// numbers are right-aligned.
std::string terminal_table(const Table& table);

}  // namespace ovf
