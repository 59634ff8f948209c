#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "ovf/estimator/messages.hpp"

namespace ovf {

/// Larger files and longer tables are refused, so that no file asks for all of the memory.
inline constexpr std::uintmax_t kLargestTableBytes = std::uintmax_t{1} << 28;
inline constexpr int kMostTableRows = 5'000'000;
inline constexpr std::size_t kLongestTableLine = 1U << 17;

/// How a text file is laid out.
struct TableFormat {
  enum class Header { kNone, kAny, kExact };

  bool commas = true;  ///< else spaces and tabs
  Header header = Header::kNone;
  bool comments = false;  ///< lines that begin with # are skipped
  /// What a row goes on with after its named columns; null: with nothing.
  const char* further = nullptr;
};

/// The rows of a text file, field by field. Nothing in the file is trusted: errors are
/// std::runtime_error with the file, the line, the column, what it has and what was expected.
class TableReader {
 public:
  TableReader(std::filesystem::path path, const TableFormat& format,
              std::vector<std::string> columns);

  /// Moves to the next row; false at the end of the file.
  bool next();

  int fields() const { return static_cast<int>(fields_.size()); }
  std::string_view text(int column) const { return fields_[static_cast<std::size_t>(column)]; }
  /// Finite.
  double number(int column) const;
  /// Both ends belong to the range; 5.000 is an integer too.
  int integer(int column, int lowest, int highest) const;
  Stamp nanoseconds(int column) const;
  /// Seconds with decimals, to the nanosecond: a double has too few digits for the time of day.
  Stamp seconds(int column) const;

  [[noreturn]] void fail(int column, const std::string& expected) const;
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  bool read_line();
  void split();
  void read_header();

  std::filesystem::path path_;
  TableFormat format_;
  std::vector<std::string> columns_;
  std::string expected_columns_;
  std::ifstream file_;
  std::string line_text_;
  std::vector<std::string_view> fields_;
  int line_ = 0;
  int rows_ = 0;
};

}  // namespace ovf
