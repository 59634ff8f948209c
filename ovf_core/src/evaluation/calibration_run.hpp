#pragma once

#include <Eigen/Core>

#include "ovf/evaluation/calibration.hpp"
#include "ovf/filter/online_variational_filter_config.hpp"
#include "ovf/math/random.hpp"
#include "ovf/model/state_space_model.hpp"

namespace ovf {

/// Natural values drawn from the prior that a second-order learner has when it starts here.
Eigen::VectorXd draw_from_prior(const ParameterVector& start, const LearningConfig& config,
                                RandomStream& random);

/// Simulates `steps` observations of the truth and filters them with the other model, which has the
/// same parameters with the values that learning starts from. The states, "x[i]", are compared
/// `times` times, the parameters at the end.
CalibrationRun run_calibration(const StateSpaceModel& truth, StateSpaceModel start,
                               const OnlineVariationalFilterConfig& config, int steps, int times,
                               RandomStream& random);

}  // namespace ovf
