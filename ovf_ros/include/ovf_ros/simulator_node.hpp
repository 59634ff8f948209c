#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "ovf/estimator/planar_simulator.hpp"
#include "ovf_ros/managed_node.hpp"
#include "ovf_ros/simulated_messages.hpp"
#include "ovf_ros/tf2_headers.hpp"
#include "rosgraph_msgs/msg/clock.hpp"

namespace ovf_ros {

/// What a SimulatorNode is told besides the simulator's own configuration.
struct SimulatorNodeConfig {
  double rate = 1.0;
  bool publish_clock = false;
  /// As in a recording of `ovf simulate`.
  std::vector<double> origin = {48.2628, 11.6679, 480.0};
  bool autostart = false;
};

/// The schema.
void visit(ovf::ConfigVisitor& visitor, SimulatorNodeConfig& config);

/// ovf::PlanarSimulator as a lifecycle node: /odom, /uwb, /landmarks, /fix, /imu/data and
/// /ground_truth as a robot would send them, and where its sensors are on /tf_static. Each
/// activation starts the simulation from the beginning.
class SimulatorNode : public ManagedNode {
 public:
  explicit SimulatorNode(const rclcpp::NodeOptions& options = rclcpp::NodeOptions());
  ~SimulatorNode() override;

 private:
  template <typename M>
  using Publisher = std::shared_ptr<rclcpp_lifecycle::LifecyclePublisher<M>>;

  void configure_all() override;
  void start() override;
  void stop() override;
  void drop() override;
  void restart();
  void advance();
  void publish(const SimulatedOutput& output);
  void publish_mountings();
  /// Since the activation, by the clock that drives the simulation, in seconds.
  double elapsed();

  SimulatorNodeConfig config_;
  ovf::PlanarSimulatorConfig simulator_config_;
  std::unique_ptr<ovf::PlanarSimulator> simulator_;
  std::unique_ptr<SimulatedMessages> messages_;
  ovf::Stamp start_ = 0;
  std::chrono::steady_clock::time_point steady_start_;
  double last_elapsed_ = 0.0;

  Publisher<nav_msgs::msg::Odometry> odometry_, truth_;
  Publisher<ovf_msgs::msg::VectorObservation> uwb_;
  Publisher<ovf_msgs::msg::RangeBearingArray> landmarks_;
  Publisher<sensor_msgs::msg::NavSatFix> fix_;
  Publisher<sensor_msgs::msg::Imu> imu_;
  Publisher<rosgraph_msgs::msg::Clock> clock_;
  std::unique_ptr<tf2_ros::StaticTransformBroadcaster> mountings_;
  rclcpp::TimerBase::SharedPtr timer_;
  std::vector<SimulatedOutput> outputs_;
};

}  // namespace ovf_ros
