#pragma once

#include <memory>

#include "ros_test.hpp"

namespace ovf_ros::test {

/// An active estimator, and a robot's messages to it.
class EstimatorFlow : public RosTest {
 protected:
  void start(const Parameters& more = {}) {
    node_ = active_node(with(planar_parameters(), more));
    odometries_ = publisher<nav_msgs::msg::Odometry>("odom");
    fixes_ = publisher<sensor_msgs::msg::NavSatFix>("fix");
  }
  /// Odometry and positions of a robot that drives east with 1 m/s.
  void drive(double from, double to) {
    for (double t = from; t < to; t += 0.5) {
      ASSERT_TRUE(send(*node_, fixes_, fix(t)));
      ASSERT_TRUE(send(*node_, odometries_, odometry(t + 0.1, 0.0)));
    }
  }
  const ovf::Estimator& estimator() const { return *node_->current_estimator(); }

  std::shared_ptr<EstimatorNode> node_;
  rclcpp::Publisher<nav_msgs::msg::Odometry>::SharedPtr odometries_;
  rclcpp::Publisher<sensor_msgs::msg::NavSatFix>::SharedPtr fixes_;
};

}  // namespace ovf_ros::test
