#include "ovf/estimator/simulated_robot.hpp"

#include <algorithm>
#include <cmath>

namespace ovf {
namespace {

constexpr std::uint64_t kDrivingStream = 201;
constexpr std::uint64_t kDisturbanceStream = 202;
constexpr double kStepSeconds = static_cast<double>(SimulatedRobot::kStep) * kSecondsPerNanosecond;

// Seconds of the highest speed that stay free before each wall, to turn back in.
constexpr double kMargin = 2.0;
// Within these many seconds a random drive draws new velocities.
constexpr double kShortestTarget = 2.0;
constexpr double kLongestTarget = 4.0;
// Largest changes of a command: m/s^2 and rad/s^2, in units of the highest speed and turn rate.
constexpr double kAcceleration = 1.0;
constexpr double kTurnAcceleration = 2.0;

double between(double low, double high, RandomStream& random) {
  return low + (high - low) * random.uniform();
}

// Where a body with constant velocities is after a while.
TruePose moved(const TruePose& from, const Eigen::Vector3d& velocity, double seconds) {
  const double turn = velocity[2] * seconds;
  // sin(turn) / turn and (1 - cos(turn)) / turn.
  const bool is_small = std::abs(turn) < 1e-4;
  const double s = is_small ? 1.0 - turn * turn / 6.0 : std::sin(turn) / turn;
  const double c = is_small ? 0.5 * turn : (1.0 - std::cos(turn)) / turn;
  const double forward = seconds * (s * velocity[0] - c * velocity[1]);
  const double left = seconds * (c * velocity[0] + s * velocity[1]);
  TruePose to = from;
  to.x += std::cos(from.yaw) * forward - std::sin(from.yaw) * left;
  to.y += std::sin(from.yaw) * forward + std::cos(from.yaw) * left;
  to.yaw += turn;
  return to;
}

}  // namespace

SimulatedRobot::SimulatedRobot(const PlanarSimulatorConfig& config)
    : driving_(config.driving),
      slip_(config.slip),
      driving_random_(config.seed, kDrivingStream),
      disturbance_random_(config.seed, kDisturbanceStream),
      inner_(0.5 * driving_.arena_length, 0.5 * driving_.arena_width),
      steps_per_command_(
          static_cast<int>(std::lround(1.0 / (driving_.command_rate * kStepSeconds)))) {
  inner_.array() -= kMargin * driving_.highest_speed;
  const auto draw_place = [&]() -> Eigen::Vector2d {
    const double x = between(-inner_.x(), inner_.x(), driving_random_);
    return {x, between(-inner_.y(), inner_.y(), driving_random_)};
  };
  const Eigen::Vector2d start = draw_place();
  pose_.x = start.x();
  pose_.y = start.y();
  pose_.yaw = between(-3.14, 3.14, driving_random_);
  for (int i = 0; i < driving_.waypoints; ++i) waypoints_.push_back(draw_place());
  choose_command();
}

void SimulatedRobot::advance_to(Stamp stamp) {
  while (pose_.stamp + kStep <= stamp) step();
  now_ = std::max(now_, stamp);
}

void SimulatedRobot::shift(const Eigen::Vector2d& by, double turn) {
  pose_.x += by.x();
  pose_.y += by.y();
  pose_.yaw += turn;
}

TruePose SimulatedRobot::pose() const {
  TruePose pose = moved(pose_, velocity_, seconds_into_step());
  pose.stamp = now_;
  return pose;
}

Eigen::Vector2d SimulatedRobot::wheel_travel() const {
  return wheel_travel_ + seconds_into_step() * wheels_;
}

double SimulatedRobot::distance() const {
  return distance_ + seconds_into_step() * velocity_.head<2>().norm();
}

// Ends the last step's arc and chooses the velocities of the next one.
void SimulatedRobot::step() {
  const Stamp stamp = pose_.stamp + kStep;
  pose_ = moved(pose_, velocity_, kStepSeconds);
  pose_.stamp = stamp;
  wheel_travel_ += kStepSeconds * wheels_;
  distance_ += kStepSeconds * velocity_.head<2>().norm();

  if (++steps_ % steps_per_command_ == 0) choose_command();
  wheels_ -= std::expm1(-kStepSeconds / slip_.response_time) * (command_ - wheels_);
  const double kept = std::exp(-kStepSeconds / slip_.disturbance_time);
  const double fresh = std::sqrt(1.0 - kept * kept);
  disturbance_[0] =
      kept * disturbance_[0] + fresh * slip_.speed_disturbance * disturbance_random_.normal();
  disturbance_[1] =
      kept * disturbance_[1] + fresh * slip_.turn_disturbance * disturbance_random_.normal();

  const double v = wheels_[0];
  const double w = wheels_[1];
  const double forward = slip_.forward_gain * v - slip_.drag * v * std::abs(v) -
                         slip_.turn_loss * v * std::abs(w) + disturbance_[0];
  const double rate = slip_.turn_gain * w + disturbance_[1];
  velocity_ << forward, slip_.slip * forward * rate, rate;
}

void SimulatedRobot::choose_command() {
  choose_target();
  const double seconds = kStepSeconds * steps_per_command_;
  const Eigen::Vector2d limit(kAcceleration * driving_.highest_speed * seconds,
                              kTurnAcceleration * driving_.highest_turn_rate * seconds);
  command_ += (target_ - command_).cwiseMax(-limit).cwiseMin(limit);
}

void SimulatedRobot::choose_target() {
  const Eigen::Vector2d place(pose_.x, pose_.y);
  if (driving_.pattern == Driving::kTour) {
    const double near = 0.5 * driving_.highest_speed;
    if ((waypoints_[next_waypoint_] - place).norm() < near) {
      next_waypoint_ = (next_waypoint_ + 1) % waypoints_.size();
    }
    target_ = towards(waypoints_[next_waypoint_]);
    return;
  }
  // 1 at the edge of the inner part.
  const double out = place.cwiseAbs().cwiseQuotient(inner_).maxCoeff();
  if (out > 1.0) returning_ = true;
  if (returning_ && out < 0.7) {
    returning_ = false;
    target_until_ = pose_.stamp;
  }
  if (returning_) {
    target_ = towards(Eigen::Vector2d::Zero());
  } else if (pose_.stamp >= target_until_) {
    target_[0] = between(driving_.lowest_speed, driving_.highest_speed, driving_random_);
    target_[1] = between(-driving_.highest_turn_rate, driving_.highest_turn_rate, driving_random_);
    const double seconds = between(kShortestTarget, kLongestTarget, driving_random_);
    target_until_ = pose_.stamp + std::llround(seconds / kSecondsPerNanosecond);
  }
}

// Turns on the spot until the place is ahead, so that a slow turn needs no more room.
Eigen::Vector2d SimulatedRobot::towards(const Eigen::Vector2d& place) const {
  const double bearing = std::atan2(place.y() - pose_.y, place.x() - pose_.x) - pose_.yaw;
  const double error = std::atan2(std::sin(bearing), std::cos(bearing));
  const double ahead = std::max(0.0, std::cos(error));
  return {driving_.highest_speed * ahead * ahead,
          std::clamp(2.0 * error, -driving_.highest_turn_rate, driving_.highest_turn_rate)};
}

}  // namespace ovf
