#pragma once

#include <Eigen/Core>

#include "ovf/math/archive.hpp"
#include "ovf/model/state_space_model.hpp"

namespace ovf {

/// What a step saw, if anything, and its input. Reading refuses an observation that this model does
/// not make.
void archive_observation(Archive& archive, const StateSpaceModel& model, bool& observed,
                         StepInput& input, Eigen::VectorXd& y);

}  // namespace ovf
