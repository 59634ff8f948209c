#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ovf {

/// One curve, cloud or band of a chart. Non-finite values are gaps.
struct Series {
  std::string name{};
  std::vector<double> x{};
  std::vector<double> y{};
  /// "line", "points", "steps" (bars from zero: y holds from its x to the next), or "band" (a line
  /// y inside a shaded region from lower to upper).
  std::string style = "line";
  std::vector<double> lower{};
  std::vector<double> upper{};
};

struct Chart {
  /// Names the CSV file and the anchor in the page: letters, digits, '-' and '_'.
  std::string id{};
  std::string title{};
  std::string x_label{};
  std::string y_label{};
  std::string caption{};
  bool log_x = false;
  bool log_y = false;
  /// A metre is as long on either axis.
  bool equal_axes = false;
  /// What y = 0, 1, 2, ... stand for; empty: numbers.
  std::vector<std::string> y_names{};
  std::vector<Series> series{};
};

/// Cells are text, formatted by whoever fills them; columns of numbers are recognised and aligned.
struct Table {
  std::string title{};
  std::string caption{};
  std::vector<std::string> header{};
  std::vector<std::vector<std::string>> rows{};
};

/// Names the file and the anchor in the page, as a chart's.
struct Picture {
  std::string id{};
  std::string title{};
  std::string caption{};
  /// A PNG file, animated or not.
  std::vector<std::uint8_t> png{};
};

/// What an experiment found: everything that goes into its result folder.
struct Report {
  std::string name{};
  std::string title{};
  /// Plain text; a blank line starts a new paragraph.
  std::string summary{};
  std::vector<Table> tables{};
  std::vector<Picture> pictures{};
  std::vector<Chart> charts{};
  /// YAML text that reproduces the run.
  std::string configuration{};
  /// Machine, version, command, seed, duration: shown in this order.
  std::vector<std::pair<std::string, std::string>> facts{};
  /// Further files for the result folder: their names, and what is in them.
  std::map<std::string, std::string> files{};
  /// The numbers a program would read back from results.json.
  std::map<std::string, double> values{};
};

/// Throws std::invalid_argument naming the chart and series, the picture or the file that cannot be
/// written: an identifier that is no file name or is used twice, an unknown style, columns of
/// unequal length.
void check_report(const Report& report);

}  // namespace ovf
