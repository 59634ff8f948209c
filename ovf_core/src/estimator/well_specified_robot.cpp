#include "ovf/estimator/well_specified_robot.hpp"

#include <algorithm>
#include <cmath>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf/model/nonlinear_transition.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kProcessStream = 203;

PlanarMotion::Parameters parameters_of(const SimulatedMotion& motion, int yaw_rate_bias) {
  return {.control = PlanarMotion::Control::kOdometry,
          .scale = {.value = motion.scale},
          .turn_scale = {.value = motion.turn_scale},
          .yaw_rate_bias = {.index = yaw_rate_bias},
          .slip = {.value = motion.slip},
          .turn_drag = {.value = motion.turn_drag}};
}

}  // namespace

WellSpecifiedRobot::WellSpecifiedRobot(const PlanarSimulatorConfig& config,
                                       const TruePose& expected_start)
    : motion_(parameters_of(config.motion, kYawRateBias)),
      slip_(config.motion.slip),
      random_(config.seed, kProcessStream) {
  const SimulatedMotion& motion = config.motion;
  noise_ << motion.position_noise, motion.position_noise, motion.angle_noise, motion.velocity_noise,
      motion.rate_noise, motion.yaw_rate_drift;
  x_ << expected_start.x, expected_start.y, expected_start.yaw, 0.0, 0.0, motion.yaw_rate_bias;
  const Eigen::Vector3d spread(motion.start_position, motion.start_position, motion.start_yaw);
  for (int i = 0; i < 3; ++i) x_[i] += spread[i] * random_.normal();
}

void WellSpecifiedRobot::set_control(const Eigen::Vector2d& control, Stamp stamp) {
  control_ = control;
  control_stamp_ = stamp;
  has_control_ = true;
}

// As Estimator::advance_to and set_time.
void WellSpecifiedRobot::step_to(Stamp stamp) {
  static const double kMaxStep = StreamConfig().longest_step;
  static const double kControlTimeout = MotionConfig().control_timeout;
  const Stamp begin = now_;
  const double seconds = seconds_between(begin, stamp);
  const int steps = std::max(1, static_cast<int>(std::ceil(seconds / kMaxStep)));
  for (int k = 1; k <= steps; ++k) {
    now_ = begin + static_cast<Stamp>(static_cast<double>(stamp - begin) * k / steps);
    const bool known = has_control_ && seconds_between(control_stamp_, now_) <= kControlTimeout;
    input_.dt = seconds / steps;
    if (known) {
      input_.control = control_;
    } else {
      input_.control.resize(0);
    }
    State next = x_;
    motion_.move(input_, x_.data(), nullptr, next.data());
    distance_ += (next - x_).head<2>().norm();
    const double root = std::sqrt(std::max(input_.dt, kShortestStep));
    for (int i = 0; i < next.size(); ++i) x_[i] = next[i] + root * noise_[i] * random_.normal();
  }
  now_ = stamp;
}

Eigen::Vector3d WellSpecifiedRobot::velocity() const {
  return {x_[3], slip_ * x_[3] * x_[4], x_[4]};
}

}  // namespace ovf
