#include "ovf/evaluation/terminal_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "evaluation/table_columns.hpp"
#include "ovf/config/printable.hpp"

namespace ovf {
namespace {

constexpr std::size_t kLongestCell = 300;
constexpr std::size_t kLongestText = 4000;

// Characters, not bytes; combining accents (U+0300 to U+036F) take no room.
std::size_t display_width(const std::string& text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool continues = (byte & 0xC0U) == 0x80U;
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    const bool combines = byte == 0xCCU || (byte == 0xCDU && next <= 0xAFU);
    if (!continues && !combines) ++width;
  }
  return width;
}

// A line break or an escape sequence in a cell must not reach the terminal.
std::string cell_text(const std::vector<std::string>& row, std::size_t column) {
  return printable(cell_or_empty(row, column), kLongestCell);
}

struct Column {
  std::size_t width = 0;
  bool numeric = false;
};

std::string line(const std::vector<std::string>& row, const std::vector<Column>& columns) {
  std::string text;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const std::string cell = cell_text(row, j);
    const std::string padding(columns[j].width - display_width(cell), ' ');
    if (j > 0) text += "  ";
    text += columns[j].numeric ? padding + cell : cell + padding;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + '\n';
}

std::string rule(const std::vector<Column>& columns) {
  std::string text;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (j > 0) text += "  ";
    for (std::size_t i = 0; i < columns[j].width; ++i) text += "─";
  }
  return text + '\n';
}

}  // namespace

std::string terminal_table(const Table& table) {
  std::vector<Column> columns(column_count(table));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    columns[j].numeric = is_numeric_column(table, j);
    columns[j].width = display_width(cell_text(table.header, j));
    for (const auto& row : table.rows) {
      columns[j].width = std::max(columns[j].width, display_width(cell_text(row, j)));
    }
  }

  std::string text;
  if (!table.title.empty()) text += fmt::format("{}\n\n", printable(table.title, kLongestText));
  if (!table.header.empty()) text += line(table.header, columns) + rule(columns);
  for (const auto& row : table.rows) text += line(row, columns);
  if (!table.caption.empty()) text += fmt::format("\n{}\n", printable(table.caption, kLongestText));
  return text;
}

}  // namespace ovf
