#pragma once

#include <Eigen/Core>

#include "ovf/estimator/planar_simulator_config.hpp"
#include "ovf/estimator/robot_log.hpp"
#include "ovf/math/random.hpp"
#include "ovf/model/planar_motion.hpp"

namespace ovf {

/// A robot that moves exactly as an estimator with PlanarMotion and odometry assumes. Such an
/// estimator steps from message to message: a control holds from the message before its own to the
/// message before the next control, velocity and yaw rate are set by it at every step, and each
/// step adds white process noise whose variance is proportional to the step's length. So this robot
/// has to be stepped at every message, also where several have one stamp.
class WellSpecifiedRobot {
 public:
  /// The true start is drawn around the expected one.
  WellSpecifiedRobot(const PlanarSimulatorConfig& config, const TruePose& expected_start);

  /// Forward velocity and yaw rate; before the step to the control's own stamp.
  void set_control(const Eigen::Vector2d& control, Stamp stamp);
  /// To the next message; not back in time.
  void step_to(Stamp stamp);

  TruePose pose() const { return {now_, x_[0], x_[1], x_[2]}; }
  /// Forward and sideways velocity, yaw rate.
  Eigen::Vector3d velocity() const;
  /// motion.yaw_rate_bias, which drifts.
  double yaw_rate_bias() const { return x_[kYawRateBias]; }
  /// Since the start, backwards counted too.
  double distance() const { return distance_; }

 private:
  static constexpr int kYawRateBias = 5;
  using State = Eigen::Matrix<double, 6, 1>;

  PlanarMotion motion_;
  double slip_;
  State noise_;  ///< standard deviations after one second
  RandomStream random_;
  Stamp now_ = 0;
  State x_;  ///< that of the motion, then the yaw rate's bias
  StepInput input_;
  Eigen::Vector2d control_ = Eigen::Vector2d::Zero();
  Stamp control_stamp_ = 0;
  bool has_control_ = false;
  double distance_ = 0.0;
};

}  // namespace ovf
