#include "ovf_ros/maze_node.hpp"

#include <chrono>

#include "geometry_msgs/msg/transform_stamped.hpp"
#include "ovf/recording/camera_messages.hpp"
#include "rclcpp_components/register_node_macro.hpp"

namespace ovf_ros {
namespace {

constexpr std::chrono::milliseconds kTick{2};
// A clock that is further ahead was set, or the machine was asleep: that is not caught up with.
constexpr double kLongestCatchUp = 5.0;  // seconds

constexpr const char* kWorld = "map";
constexpr const char* kBody = "base_link";
constexpr const char* kCamera = "camera";

ovf::MazeRunConfig run_config(const MazeNodeConfig& config) {
  ovf::MazeRunConfig out;
  out.maze.seed = config.maze_seed;
  out.maze.width = out.maze.height = config.cells;
  out.agent.seed = config.agent_seed;
  out.agent.rate = config.rate;
  out.camera.size = {config.size, config.size};
  return out;
}

}  // namespace

void visit(ovf::ConfigVisitor& visitor, MazeNodeConfig& config) {
  auto& [maze_seed, agent_seed, size, cells, rate, publish_tf, autostart] = config;
  visitor.field("maze_seed", maze_seed, "Of the maze and its colours.");
  visitor.field("agent_seed", agent_seed, "Of the way through it.");
  visitor.field("size", size, {1, 1024}, "Pixels along a side of a picture.");
  visitor.field("cells", cells, {5, 99}, "Width and height of the maze, an odd number.");
  visitor.field("rate", rate, {.lowest = 5.0, .highest = 100.0}, "Pictures per second.");
  visitor.field("publish_tf", publish_tf, "Publish the true pose as a transform, too.");
  visitor.field("autostart", autostart, "Configure and activate without a lifecycle manager.");
}

MazeNode::MazeNode(const rclcpp::NodeOptions& options) : ManagedNode("ovf_maze", options) {
  begin(config_);
}

MazeNode::~MazeNode() { end(); }

void MazeNode::configure_all() {
  RosParameters parameters(*get_node_parameters_interface(), checks_);
  visit(parameters, config_);
  parameters.finish();
  run_ = std::make_unique<ovf::MazeRun>(run_config(config_));
  const rclcpp::QoS qos(rclcpp::KeepLast(10));
  image_ = create_publisher<sensor_msgs::msg::Image>("camera/image", qos);
  control_ = create_publisher<geometry_msgs::msg::TwistStamped>("control", qos);
  truth_ = create_publisher<nav_msgs::msg::Odometry>("ground_truth", qos);
  if (config_.publish_tf) broadcaster_ = std::make_unique<tf2_ros::TransformBroadcaster>(*this);
  mounting_ = std::make_unique<tf2_ros::StaticTransformBroadcaster>(*this);
}

void MazeNode::start() {
  restart();
  publish_mounting();
  timer_ = create_wall_timer(kTick, [this] { advance(); });
}

void MazeNode::restart() {
  start_ = get_clock()->now().nanoseconds();
  last_elapsed_ = 0.0;
  run_ = std::make_unique<ovf::MazeRun>(run_config(config_));
  next_ = run_->next();
}

void MazeNode::publish_mounting() {
  geometry_msgs::msg::TransformStamped transform;
  ovf::set_time(start_, transform.header.stamp);
  transform.header.frame_id = kBody;
  transform.child_frame_id = kCamera;
  transform.transform.translation.z = run_->camera().config().height;
  transform.transform.rotation.w = 1.0;
  mounting_->sendTransform(transform);
}

void MazeNode::advance() {
  const ovf::Stamp now = get_clock()->now().nanoseconds();
  const double elapsed = ovf::seconds_between(start_, now);
  if (elapsed < last_elapsed_ || elapsed > last_elapsed_ + kLongestCatchUp) {
    RCLCPP_WARN(get_logger(), "the clock was set: the visit starts again");
    restart();
  }
  last_elapsed_ = ovf::seconds_between(start_, now);
  while (start_ + next_.stamp <= now) {
    publish(next_);
    next_ = run_->next();
  }
}

void MazeNode::publish(const ovf::CameraFrame& frame) {
  const ovf::Stamp stamp = start_ + frame.stamp;
  geometry_msgs::msg::TwistStamped control;
  ovf::set_time(stamp, control.header.stamp);
  control.header.frame_id = kBody;
  control.twist.linear.x = frame.control[0];
  control.twist.angular.z = frame.control[1];
  control_->publish(control);

  ovf::fill_image(frame.image, picture_);
  picture_.header.stamp = control.header.stamp;
  picture_.header.frame_id = kCamera;
  image_->publish(picture_);

  nav_msgs::msg::Odometry truth;
  truth.header.stamp = control.header.stamp;
  truth.header.frame_id = kWorld;
  truth.child_frame_id = kBody;
  const Eigen::Vector3d place(frame.pose.x, frame.pose.y, 0.0);
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(frame.pose.yaw, Eigen::Vector3d::UnitZ()));
  ovf::set_vector(place, truth.pose.pose.position);
  ovf::set_quaternion(turn, truth.pose.pose.orientation);
  truth.twist.twist = control.twist;
  truth_->publish(truth);

  if (!broadcaster_) return;
  geometry_msgs::msg::TransformStamped transform;
  transform.header = truth.header;
  transform.child_frame_id = kBody;
  ovf::set_vector(place, transform.transform.translation);
  transform.transform.rotation = truth.pose.pose.orientation;
  broadcaster_->sendTransform(transform);
}

void MazeNode::stop() { timer_.reset(); }

void MazeNode::drop() {
  run_.reset();
  image_.reset();
  control_.reset();
  truth_.reset();
  broadcaster_.reset();
  mounting_.reset();
}

}  // namespace ovf_ros

RCLCPP_COMPONENTS_REGISTER_NODE(ovf_ros::MazeNode)
