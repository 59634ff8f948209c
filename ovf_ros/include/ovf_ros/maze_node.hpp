#pragma once

#include <cstdint>
#include <memory>

#include "geometry_msgs/msg/twist_stamped.hpp"
#include "nav_msgs/msg/odometry.hpp"
#include "ovf/vision/maze_run.hpp"
#include "ovf_ros/managed_node.hpp"
#include "ovf_ros/tf2_headers.hpp"
#include "sensor_msgs/msg/image.hpp"

namespace ovf_ros {

struct MazeNodeConfig {
  std::uint64_t maze_seed = 1;
  std::uint64_t agent_seed = 1;
  /// Pixels along a side of a picture.
  int size = 32;
  /// Along a side of the maze.
  int cells = 13;
  /// Pictures per second.
  double rate = 10.0;
  bool publish_tf = true;
  bool autostart = false;
};

/// The schema.
void visit(ovf::ConfigVisitor& visitor, MazeNodeConfig& config);

/// ovf::MazeRun as a lifecycle node: the camera of a visitor to a maze, live. camera/image, control
/// (of the step that ended with the picture of the same stamp) and ground_truth. Each activation
/// starts the visit from the beginning.
class MazeNode : public ManagedNode {
 public:
  explicit MazeNode(const rclcpp::NodeOptions& options = rclcpp::NodeOptions());
  ~MazeNode() override;

 private:
  template <typename M>
  using Publisher = std::shared_ptr<rclcpp_lifecycle::LifecyclePublisher<M>>;

  void configure_all() override;
  void start() override;
  void stop() override;
  void drop() override;
  void restart();
  void advance();
  void publish(const ovf::CameraFrame& frame);
  void publish_mounting();

  MazeNodeConfig config_;
  std::unique_ptr<ovf::MazeRun> run_;
  ovf::Stamp start_ = 0;
  double last_elapsed_ = 0.0;
  ovf::CameraFrame next_;

  Publisher<sensor_msgs::msg::Image> image_;
  Publisher<geometry_msgs::msg::TwistStamped> control_;
  Publisher<nav_msgs::msg::Odometry> truth_;
  std::unique_ptr<tf2_ros::TransformBroadcaster> broadcaster_;
  std::unique_ptr<tf2_ros::StaticTransformBroadcaster> mounting_;
  rclcpp::TimerBase::SharedPtr timer_;
  sensor_msgs::msg::Image picture_;  ///< its memory is used again
};

}  // namespace ovf_ros
