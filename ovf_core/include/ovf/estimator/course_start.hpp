#pragma once

#include <Eigen/Core>
#include <optional>

#include "ovf/estimator/messages.hpp"
#include "ovf/math/archive.hpp"

namespace ovf {

/// Where a planar robot is and where it looks, from its controls and the first positions that were
/// measured: the way that it drove by dead reckoning is laid onto them (least squares).
class CourseStart {
 public:
  struct Course {
    Eigen::Vector3d pose;  ///< x, y and yaw at the time of the last position
    /// Root mean square distance of the positions from the way that was laid onto them, and how far
    /// that way leads.
    double scatter = 0.0;
    double distance = 0.0;
  };

  /// It is found once the robot is so far from the place of the first position, in metres.
  explicit CourseStart(double distance) : distance_(distance) {}

  void clear() { *this = CourseStart(distance_); }
  /// Forward velocity and yaw rate.
  void drive(const Control& control);
  /// Since the first position, in seconds.
  double duration() const { return count_ > 0 ? seconds_between(first_stamp_, now_) : 0.0; }
  /// Once it is found.
  std::optional<Course> see(Stamp stamp, const Eigen::Vector2d& position);

  void archive(Archive& archive);

 private:
  void advance_to(Stamp stamp);

  double distance_;
  bool started_ = false;
  Stamp now_ = 0;
  Eigen::Vector2d control_ = Eigen::Vector2d::Zero();
  Eigen::Vector3d driven_ = Eigen::Vector3d::Zero();  // x, y, yaw from where it started
  // Of the positions so far: how many, the first place, means, and sums of products about these.
  int count_ = 0;
  Stamp first_stamp_ = 0;
  Eigen::Vector2d first_ = Eigen::Vector2d::Zero();
  Eigen::Vector2d mean_driven_ = Eigen::Vector2d::Zero();
  Eigen::Vector2d mean_seen_ = Eigen::Vector2d::Zero();
  Eigen::Matrix2d products_ = Eigen::Matrix2d::Zero();
  double driven_squares_ = 0.0;
  double seen_squares_ = 0.0;
};

}  // namespace ovf
