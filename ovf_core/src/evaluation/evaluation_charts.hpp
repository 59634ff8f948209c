#pragma once

#include <vector>

#include "ovf/evaluation/report.hpp"
#include "ovf/evaluation/run_evaluation.hpp"

namespace ovf {

/// All charts of an evaluation that have something to show.
std::vector<Chart> evaluation_charts(const std::vector<RunEvaluation>& runs,
                                     const GroundTruth& truth);

}  // namespace ovf
