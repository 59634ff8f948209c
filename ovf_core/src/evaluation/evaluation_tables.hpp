#pragma once

#include <vector>

#include "ovf/evaluation/report.hpp"
#include "ovf/evaluation/run_evaluation.hpp"

namespace ovf {

// A column for each run.
Table overview_table(const std::vector<RunEvaluation>& runs);
Table rollout_table(const std::vector<RunEvaluation>& runs);
Table sensor_table(const std::vector<RunEvaluation>& runs);
Table parameter_table(const std::vector<RunEvaluation>& runs);
Table unused_table(const std::vector<RunEvaluation>& runs);

}  // namespace ovf
