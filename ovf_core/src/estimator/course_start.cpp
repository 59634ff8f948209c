#include "ovf/estimator/course_start.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace ovf {
namespace {

// Three positions leave one number to check two with.
constexpr int kFewestPositions = 3;
// A control is held no longer, and messages are later by no more, in seconds.
constexpr double kLongestHold = 1.0;

}  // namespace

void CourseStart::advance_to(Stamp stamp) {
  if (started_ && seconds_between(stamp, now_) > kLongestHold) clear();  // the clock was set back
  const double dt = started_ ? std::clamp(seconds_between(now_, stamp), 0.0, kLongestHold) : 0.0;
  if (!started_ || stamp > now_) now_ = stamp;
  started_ = true;
  const double heading = driven_[2] + 0.5 * dt * control_[1];
  driven_ += dt * Eigen::Vector3d(control_[0] * std::cos(heading), control_[0] * std::sin(heading),
                                  control_[1]);
}

void CourseStart::drive(const Control& control) {
  advance_to(control.stamp);
  control_ = control.u;
}

std::optional<Eigen::Vector3d> CourseStart::see(Stamp stamp, const Eigen::Vector2d& position) {
  advance_to(stamp);
  const Eigen::Vector2d place = driven_.head<2>();
  if (count_ == 0) first_ = place;
  ++count_;
  const Eigen::Vector2d from_mean = place - mean_driven_;
  mean_driven_ += from_mean / count_;
  mean_seen_ += (position - mean_seen_) / count_;
  products_ += (position - mean_seen_) * from_mean.transpose();
  if (count_ < kFewestPositions || (place - first_).norm() < distance_) return std::nullopt;

  // The rotation R that maximises tr(R^T products).
  const double turn =
      std::atan2(products_(1, 0) - products_(0, 1), products_(0, 0) + products_(1, 1));
  const Eigen::Vector2d now =
      mean_seen_ + Eigen::Rotation2Dd(turn) * Eigen::Vector2d(place - mean_driven_);
  return Eigen::Vector3d(now.x(), now.y(), turn + driven_[2]);
}

}  // namespace ovf
