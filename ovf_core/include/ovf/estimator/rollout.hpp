#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <vector>

#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/model/motion.hpp"

namespace ovf {

/// What the robot will be asked to do while a rollout looks ahead.
enum class ControlPlan {
  kHeld,   ///< the last control stays
  kZero,   ///< it stands still
  kGiven,  ///< one control for each step; the last one stays
  /// Nobody knows: velocities go on as they are, give or take what controls have changed so far.
  kUnknown,
};

struct RolloutRequest {
  double horizon = 2.0;  ///< seconds
  double step = 0.1;     ///< seconds
  ControlPlan plan = ControlPlan::kHeld;
  std::vector<Eigen::VectorXd> controls = {};
  /// Paths to draw.
  int samples = 0;
  std::uint64_t seed = 1;
};

/// The learned model run ahead from a belief: states with their covariances, and drawn paths. The
/// uncertainty of the state, of what is learned and the process noise all take part.
struct Rollout {
  std::vector<double> times = {};  ///< seconds from now
  Eigen::MatrixXd means = {};      ///< a column for each time
  std::vector<Eigen::MatrixXd> covariances = {};
  std::vector<Eigen::MatrixXd> paths = {};
  std::vector<Eigen::Quaterniond> references = {};
};

/// From this belief. Throws std::invalid_argument on a horizon, step, count or control that makes
/// no sense.
Rollout roll_out(const OnlineVariationalFilter& filter, const Gaussian& belief,
                 const Motion& motion, const StepInput& start, const RolloutRequest& request);

}  // namespace ovf
