#pragma once

#include <Eigen/Core>
#include <string>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf/recording/sensed.hpp"

namespace ovf {

/// The control of a multirotor (see ThrustDrive) from a message with a command, or with plain
/// numbers in the same order. Empty: `u` is set; else why not.
std::string thrust_control(ControlKind kind, const Sensed& sensed, Eigen::VectorXd& u);

}  // namespace ovf
