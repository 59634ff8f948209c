#include "ovf/estimator/course_start.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

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

std::optional<CourseStart::Course> CourseStart::see(Stamp stamp, const Eigen::Vector2d& position) {
  advance_to(stamp);
  const Eigen::Vector2d place = driven_.head<2>();
  if (count_ == 0) {
    first_ = place;
    first_stamp_ = stamp;
  }
  ++count_;
  const Eigen::Vector2d from_mean = place - mean_driven_;
  mean_driven_ += from_mean / count_;
  const Eigen::Vector2d seen_before = position - mean_seen_;
  mean_seen_ += seen_before / count_;
  products_ += (position - mean_seen_) * from_mean.transpose();
  driven_squares_ += (place - mean_driven_).dot(from_mean);
  seen_squares_ += (position - mean_seen_).dot(seen_before);
  if (count_ < kFewestPositions || (place - first_).norm() < distance_) return std::nullopt;

  // The rotation R that maximises tr(R^T products).
  const double turn =
      std::atan2(products_(1, 0) - products_(0, 1), products_(0, 0) + products_(1, 1));
  const Eigen::Matrix2d rotation = Eigen::Rotation2Dd(turn).toRotationMatrix();
  const Eigen::Vector2d now = mean_seen_ + rotation * (place - mean_driven_);
  const double squares =
      driven_squares_ + seen_squares_ - 2.0 * (rotation.transpose() * products_).trace();
  return Course{.pose = {now.x(), now.y(), turn + driven_[2]},
                .scatter = std::sqrt(std::max(0.0, squares) / count_),
                .distance = (place - first_).norm()};
}

void CourseStart::archive(Archive& archive) {
  const auto number = [&](double& value) {
    archive.number("course", value);
    archive.require_finite("course", value);
  };
  const auto stamp = [&](Stamp& value) {
    archive.integer("time of the course", value, -kFarthestStamp, kFarthestStamp);
  };
  archive.flag("course started", started_);
  stamp(now_);
  stamp(first_stamp_);
  archive.integer("positions of the course", count_, 0, std::numeric_limits<int>::max());
  for (double& value : control_) number(value);
  for (double& value : driven_) number(value);
  for (double& value : first_) number(value);
  for (double& value : mean_driven_) number(value);
  for (double& value : mean_seen_) number(value);
  for (double& value : products_.reshaped()) number(value);
  number(driven_squares_);
  number(seen_squares_);
}

}  // namespace ovf
