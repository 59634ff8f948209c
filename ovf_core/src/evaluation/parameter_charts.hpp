#pragma once

#include <vector>

#include "ovf/evaluation/report.hpp"
#include "ovf/evaluation/run_evaluation.hpp"

namespace ovf {

/// One chart for each learned parameter of any run, over the seconds since `origin`.
std::vector<Chart> parameter_charts(const std::vector<RunEvaluation>& runs, Stamp origin);

}  // namespace ovf
