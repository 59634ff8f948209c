#include "ovf_ros/simulator_node.hpp"

#include <cmath>
#include <stdexcept>

#include "geometry_msgs/msg/transform_stamped.hpp"
#include "ovf/recording/estimator_messages.hpp"
#include "rclcpp_components/register_node_macro.hpp"

namespace ovf_ros {
namespace {

constexpr std::chrono::milliseconds kTick{2};
// A clock that is further ahead was set, or the machine was asleep: that is not caught up with.
constexpr double kLongestCatchUp = 5.0;  // seconds

}  // namespace

void visit(ovf::ConfigVisitor& visitor, SimulatorNodeConfig& config) {
  auto& [rate, publish_clock, origin, autostart] = config;
  visitor.field("rate", rate, {.lowest = 0.01, .highest = 1000.0},
                "How fast the simulated time runs.");
  visitor.field("publish_clock", publish_clock,
                "Publish the simulated time on /clock, for nodes with use_sim_time.");
  visitor.field("origin", origin, {{}, 3},
                "Latitude, longitude (degrees), altitude (m) of the simulated world's origin.");
  visitor.field("autostart", autostart, "Configure and activate without a lifecycle manager.");
}

SimulatorNode::SimulatorNode(const rclcpp::NodeOptions& options)
    : ManagedNode("ovf_simulator", options) {
  begin(config_);
}

SimulatorNode::~SimulatorNode() { end(); }

void SimulatorNode::configure_all() {
  RosParameters parameters(*get_node_parameters_interface(), checks_);
  visit(parameters, config_);
  visit(parameters, simulator_config_);
  parameters.finish();
  ovf::validate(simulator_config_);
  if (config_.origin.size() != 3 || !(std::abs(config_.origin[0]) < 90.0)) {
    throw std::invalid_argument("origin; expected latitude, longitude and altitude");
  }
  const rclcpp::QoS qos(rclcpp::KeepLast(10));
  odometry_ = create_publisher<nav_msgs::msg::Odometry>("odom", qos);
  uwb_ = create_publisher<ovf_msgs::msg::VectorObservation>("uwb", qos);
  landmarks_ = create_publisher<ovf_msgs::msg::RangeBearingArray>("landmarks", qos);
  fix_ = create_publisher<sensor_msgs::msg::NavSatFix>("fix", qos);
  imu_ = create_publisher<sensor_msgs::msg::Imu>("imu/data", qos);
  truth_ = create_publisher<nav_msgs::msg::Odometry>("ground_truth", qos);
  if (config_.publish_clock) {
    clock_ = create_publisher<rosgraph_msgs::msg::Clock>("/clock", rclcpp::ClockQoS());
  }
  mountings_ = std::make_unique<tf2_ros::StaticTransformBroadcaster>(*this);
}

void SimulatorNode::start() {
  restart();
  publish_mountings();
  timer_ = create_wall_timer(kTick, [this] { advance(); });
}

void SimulatorNode::restart() {
  // A clock that this node publishes cannot be the one that drives it.
  start_ = config_.publish_clock ? rclcpp::Clock(RCL_SYSTEM_TIME).now().nanoseconds()
                                 : get_clock()->now().nanoseconds();
  steady_start_ = std::chrono::steady_clock::now();
  simulator_ = std::make_unique<ovf::PlanarSimulator>(simulator_config_);
  messages_ = std::make_unique<SimulatedMessages>(
      start_, ovf::GeodeticPoint{config_.origin[0], config_.origin[1], config_.origin[2]});
  last_elapsed_ = 0.0;
}

void SimulatorNode::publish_mountings() {
  std::vector<geometry_msgs::msg::TransformStamped> transforms;
  for (const char* frame : {"uwb", "camera", "gnss"}) {
    auto& transform = transforms.emplace_back();
    ovf::set_time(start_, transform.header.stamp);
    transform.header.frame_id = "base_link";
    transform.child_frame_id = frame;
    transform.transform.rotation.w = 1.0;
  }
  mountings_->sendTransform(transforms);
}

double SimulatorNode::elapsed() {
  if (config_.publish_clock) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - steady_start_).count();
  }
  return ovf::seconds_between(start_, get_clock()->now().nanoseconds());
}

void SimulatorNode::advance() {
  double seconds = elapsed();
  if (seconds < last_elapsed_ || seconds > last_elapsed_ + kLongestCatchUp) {
    RCLCPP_WARN(get_logger(), "the clock was set: the simulation starts again");
    restart();
    seconds = 0.0;
  }
  last_elapsed_ = seconds;
  const auto end = static_cast<ovf::Stamp>(seconds * config_.rate * 1e9);
  if (clock_) {
    rosgraph_msgs::msg::Clock now;
    ovf::set_time(start_ + end, now.clock);
    clock_->publish(now);
  }
  outputs_.clear();
  while (simulator_->next_stamp() <= end) messages_->take(simulator_->next(), outputs_);
  messages_->flush(outputs_);
  for (const SimulatedOutput& output : outputs_) publish(output);
}

void SimulatorNode::publish(const SimulatedOutput& output) {
  using Topic = SimulatedOutput::Topic;
  switch (output.topic) {
    case Topic::kOdometry:
      return odometry_->publish(std::get<nav_msgs::msg::Odometry>(output.message));
    case Topic::kUwb:
      return uwb_->publish(std::get<ovf_msgs::msg::VectorObservation>(output.message));
    case Topic::kLandmarks:
      return landmarks_->publish(std::get<ovf_msgs::msg::RangeBearingArray>(output.message));
    case Topic::kFix:
      return fix_->publish(std::get<sensor_msgs::msg::NavSatFix>(output.message));
    case Topic::kImu:
      return imu_->publish(std::get<sensor_msgs::msg::Imu>(output.message));
    case Topic::kGroundTruth:
      return truth_->publish(std::get<nav_msgs::msg::Odometry>(output.message));
  }
}

void SimulatorNode::stop() { timer_.reset(); }

void SimulatorNode::drop() {
  messages_.reset();
  simulator_.reset();
  odometry_.reset();
  truth_.reset();
  uwb_.reset();
  landmarks_.reset();
  fix_.reset();
  imu_.reset();
  clock_.reset();
  mountings_.reset();
}

}  // namespace ovf_ros

RCLCPP_COMPONENTS_REGISTER_NODE(ovf_ros::SimulatorNode)
