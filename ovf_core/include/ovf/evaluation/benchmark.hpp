#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "ovf/evaluation/benchmark_entry.hpp"
#include "ovf/evaluation/report.hpp"

namespace ovf {

/// What a method made of an entry. Figures that there are not are NaN.
struct BenchmarkScore {
  std::string entry = {};
  std::string method = {};  ///< empty: the entry could not be read
  std::string error = {};   ///< why there are no figures; empty: there are
  double position_rmse = std::numeric_limits<double>::quiet_NaN();
  /// Mean of the position's NEES, summed over its numbers, and how many these are: so large it is
  /// on average if the stated uncertainty is right.
  double nees = std::numeric_limits<double>::quiet_NaN();
  int numbers = 0;
  double coverage90 = std::numeric_limits<double>::quiet_NaN();
  double worst_second = std::numeric_limits<double>::quiet_NaN();
  double attitude_rmse = std::numeric_limits<double>::quiet_NaN();  ///< degrees; in the plane, yaw
  double microseconds =
      std::numeric_limits<double>::quiet_NaN();  ///< of the processor per message, mean
  /// Of the recording, and events of the estimator that tell of trouble.
  long warnings = 0;
  /// What is wrong with the files of the recording.
  std::vector<std::string> damage = {};
};

/// Runs the methods (method_names) over an entry, one after the other; `done` gets each score when
/// it is there. Whatever is wrong with the entry becomes the error of a score.
void run_benchmark_entry(const BenchmarkEntry& entry, const std::vector<std::string>& methods,
                         const std::function<void(const BenchmarkScore&)>& done);

/// Cells of the scoreboard: its header, and those of a score.
std::vector<std::string> benchmark_header();
std::vector<std::string> benchmark_row(const BenchmarkScore& score);

/// The scoreboard as a page, with a results.csv.
Report benchmark_report(const std::vector<BenchmarkScore>& scores);

}  // namespace ovf
