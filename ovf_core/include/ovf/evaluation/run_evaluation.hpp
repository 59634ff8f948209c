#pragma once

#include <map>
#include <string>
#include <vector>

#include "ovf/evaluation/consistency.hpp"
#include "ovf/evaluation/innovation_consistency.hpp"
#include "ovf/evaluation/predictive_score.hpp"
#include "ovf/evaluation/read_run.hpp"
#include "ovf/evaluation/relative_pose_error.hpp"
#include "ovf/evaluation/report.hpp"
#include "ovf/evaluation/rollout_error.hpp"
#include "ovf/evaluation/run_record.hpp"
#include "ovf/evaluation/trajectory_error.hpp"

namespace ovf {

struct RunEvaluationOptions {
  AlignmentKind alignment = AlignmentKind::kNone;
  /// Of the truth, over which nothing is interpolated, in seconds; 0: some of its usual steps.
  double longest_gap = 0.0;
  double time_offset = 0.0;  ///< of the truth's clock, in seconds
};

/// Every figure of one run. Those that need a ground truth are of nothing where there is none.
struct RunEvaluation {
  RunRecord record = {};
  bool has_truth = false;
  double longest_gap = 0.0;    ///< of the truth, that was interpolated over
  TrajectoryMatch match = {};  ///< aligned
  TrajectoryError error = {};
  RelativePoseError relative = {};
  std::vector<Nees> nees = {};
  std::vector<SensorConsistency> sensors = {};
  PredictiveScore predictive = {};
  /// Against the truth or, without one, against what was estimated later on.
  std::vector<HorizonError> rollouts = {};

  /// The numbers that a baseline can hold, by name.
  std::map<std::string, double> figures() const;
};

RunEvaluation evaluate_run(RunRecord record, const GroundTruth& truth,
                           const RunEvaluationOptions& options = {});

/// One run, or several side by side.
Report evaluation_report(const std::vector<RunEvaluation>& runs, const GroundTruth& truth,
                         const RunEvaluationOptions& options = {});

}  // namespace ovf
