#pragma once

#include <map>
#include <string>
#include <vector>

#include "ovf/evaluation/report.hpp"

namespace ovf {

/// What a figure was, and how far from it one may be.
struct BaselineFigure {
  double value = 0.0;
  double tolerance = 0.0;
};
using Baseline = std::map<std::string, BaselineFigure>;

/// {"figures": {"position_rmse": {"value": 0.43, "tolerance": 0.05}, ...}}. Throws
/// std::invalid_argument with the source name, the figure and what was expected.
Baseline read_baseline(const std::string& text, const std::string& source_name);

/// All figures, each with a tolerance of this share of it, and of 0.01 at least.
std::string write_baseline(const std::map<std::string, double>& figures, double share);

struct BaselineCheck {
  Table table = {};  ///< figure by figure
  /// Figures that are out of tolerance or missing.
  std::vector<std::string> failed = {};
};
BaselineCheck check_baseline(const Baseline& baseline,
                             const std::map<std::string, double>& figures);

}  // namespace ovf
