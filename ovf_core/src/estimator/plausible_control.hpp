#pragma once

#include <string>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf/estimator/messages.hpp"

namespace ovf {

/// Why no robot of this kind can do what a control says (MotionLimits), with the numbers; empty if
/// it can. `last` is the control that was used before it, an empty u: there was none.
std::string implausibility(const Control& control, const Control& last, const MotionConfig& motion);

/// Of a control that differs from the last one by more than a robot of this kind usually does: what
/// it may be wrong by, as standard deviations that the motion's own states gain in each second that
/// the control is held. Empty: it is as usual.
Eigen::VectorXd doubt(const Control& control, Stamp last_stamp, const Eigen::VectorXd& last,
                      const MotionConfig& motion);

}  // namespace ovf
