#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "estimator/planar_case.hpp"
#include "ovf/estimator/messages.hpp"
#include "ovf/math/random.hpp"
#include "ovf/math/rotation.hpp"

namespace ovf::test {

/// A multirotor that flies from one random place to the next. Its autopilot turns attitudes into
/// rates and has motors that lag, so that no model of the library is exactly right.
struct MultirotorOptions {
  double seconds = 60.0;
  double grounded = 0.0;  ///< before it takes off, without thrust
  bool commands_rates = false;
  double thrust_scale = 23.35;  ///< m/s^2; hovers at 0.42
  Eigen::Vector3d drag{0.45, 0.35, 0.2};
  Eigen::Vector3d wind = Eigen::Vector3d::Zero();
  double gusts = 0.3;                      ///< m/s^2
  double motor_lag = 0.04;                 ///< s
  double rate_lag = 0.05;                  ///< s
  Eigen::Vector3d attitude_gain{8, 8, 4};  ///< 1/s
  double pose_noise = 0.02;                ///< m and rad
  double gyro_noise = 0.02;                ///< rad/s
  std::uint64_t seed = 1;
};

class SimulatedMultirotor {
 public:
  static constexpr double kStep = 0.001;
  static constexpr double kGravity = 9.80665;

  struct Pose {
    double seconds;
    Eigen::Vector3d position;
    Eigen::Quaterniond attitude;
  };

  explicit SimulatedMultirotor(const MultirotorOptions& options)
      : o_(options), random_(options.seed, 91) {
    const int steps = static_cast<int>(std::lround(o_.seconds / kStep));
    for (int k = 0; k <= steps; ++k) {
      const double t = kStep * k;
      if (k % 20 == 0) command(t);
      if (k % 10 == 5) measure_rate(t);
      if (k % 50 == 7) measure_pose(t);
      if (k % 10 == 0) truth_.push_back({t, position_, attitude_});
      move(t);
    }
  }

  const std::vector<Message>& messages() const { return messages_; }
  /// At a multiple of 0.01 s.
  const Pose& truth(double seconds) const {
    return truth_.at(static_cast<std::size_t>(std::lround(100.0 * seconds)));
  }

 private:
  Eigen::Vector3d draw() {
    Eigen::MatrixXd z(3, 1);
    random_.fill_normal(z);
    return z;
  }

  /// A position controller, as a pilot or a planner would have one.
  void command(double t) {
    if (t >= next_goal_) {
      next_goal_ = t + 2.5;
      goal_ = 2.5 * draw() + Eigen::Vector3d(0.0, 0.0, 8.0);
      goal_yaw_ += 0.5 * draw().x();
    }
    const Eigen::Vector3d wished = 1.2 * (goal_ - position_) - 1.6 * velocity_;
    Eigen::Vector3d pull(std::clamp(wished.x(), -4.0, 4.0), std::clamp(wished.y(), -4.0, 4.0),
                         kGravity + std::clamp(wished.z(), -3.0, 3.0));
    commanded_thrust_ = t < o_.grounded ? 0.0 : std::min(pull.norm() / o_.thrust_scale, 1.0);
    const Eigen::Quaterniond yaw(Eigen::AngleAxisd(goal_yaw_, Eigen::Vector3d::UnitZ()));
    commanded_ = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), pull) * yaw;
    if (o_.commands_rates) {
      commanded_rate_ = wished_rate();
      Eigen::VectorXd u(4);
      u << commanded_thrust_, commanded_rate_;
      messages_.emplace_back(Control{at_seconds(t), u});
    } else {
      Eigen::VectorXd u(5);
      u << commanded_thrust_, commanded_.coeffs();
      messages_.emplace_back(Control{at_seconds(t), u});
    }
  }

  Eigen::Vector3d wished_rate() const {
    const Vector3<double> error =
        rotation_vector(Eigen::Quaterniond(attitude_.conjugate() * commanded_));
    return o_.attitude_gain.cwiseProduct(error);
  }

  void measure_rate(double t) {
    const Eigen::Vector3d bias(0.01, -0.005, 0.008);
    messages_.emplace_back(
        Measurement{at_seconds(t), "gyro", rate_ + bias + o_.gyro_noise * draw()});
  }

  void measure_pose(double t) {
    const Vector3<double> error = o_.pose_noise * draw();
    Eigen::VectorXd y(7);
    y << position_ + o_.pose_noise * draw(), (attitude_ * rotation_quaternion(error)).coeffs();
    messages_.emplace_back(Measurement{at_seconds(t), "pose", y});
  }

  void move(double t) {
    thrust_ += kStep / o_.motor_lag * (commanded_thrust_ - thrust_);
    const Eigen::Vector3d aim = o_.commands_rates ? commanded_rate_ : wished_rate();
    rate_ += kStep / o_.rate_lag * (aim - rate_) + 0.3 * std::sqrt(kStep) * draw();
    // Gusts that last for half a second.
    gust_ += -2.0 * kStep * gust_ + o_.gusts * std::sqrt(4.0 * kStep) * draw();
    const Eigen::Matrix3d R = attitude_.toRotationMatrix();
    const Eigen::Vector3d airspeed = R.transpose() * (velocity_ - o_.wind);
    const Eigen::Vector3d force(0.0, 0.0, o_.thrust_scale * thrust_);
    Eigen::Vector3d acceleration = R * (force - o_.drag.cwiseProduct(airspeed)) + gust_;
    acceleration.z() -= kGravity;
    flying_ = flying_ || (t >= o_.grounded && acceleration.z() > 0.0);
    if (!flying_) {
      rate_.setZero();
      return;
    }
    position_ += kStep * (velocity_ + 0.5 * kStep * acceleration);
    velocity_ += kStep * acceleration;
    const Vector3<double> turn = kStep * rate_;
    attitude_ = (attitude_ * rotation_quaternion(turn)).normalized();
  }

  MultirotorOptions o_;
  RandomStream random_;
  Eigen::Vector3d position_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d velocity_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d rate_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d gust_ = Eigen::Vector3d::Zero();
  Eigen::Quaterniond attitude_ = Eigen::Quaterniond::Identity();
  double thrust_ = 0.0;
  bool flying_ = false;
  Eigen::Vector3d goal_ = Eigen::Vector3d::Zero();
  double goal_yaw_ = 0.0;
  double next_goal_ = 0.0;
  double commanded_thrust_ = 0.0;
  Eigen::Quaterniond commanded_ = Eigen::Quaterniond::Identity();
  Eigen::Vector3d commanded_rate_ = Eigen::Vector3d::Zero();
  std::vector<Message> messages_;
  std::vector<Pose> truth_;
};

}  // namespace ovf::test
