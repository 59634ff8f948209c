#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nav_msgs/msg/odometry.hpp"
#include "nav_msgs/msg/path.hpp"
#include "ovf/estimator/estimator.hpp"
#include "ovf_msgs/msg/filter_status.hpp"
#include "ovf_msgs/msg/model_parameters.hpp"
#include "ovf_msgs/msg/posterior.hpp"
#include "ovf_msgs/msg/rollout.hpp"
#include "ovf_ros/latency_window.hpp"
#include "ovf_ros/tf2_headers.hpp"
#include "ovf_ros/transform_gate.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"
#include "visualization_msgs/msg/marker_array.hpp"

namespace ovf_ros {

/// Everything that an EstimatorNode publishes, but for diagnostics. What comes periodically does so
/// by the time of the data, as in a replay; only the status is asked for by a timer.
class EstimatorOutputs {
 public:
  /// The publishers are managed by the node: they publish while it is active.
  EstimatorOutputs(rclcpp_lifecycle::LifecycleNode& node, const ovf::EstimatorConfig& config);

  /// Once the node is active.
  void publish_landmarks();
  /// After each message of the estimator, at this time of the node. Returns what was wrong with a
  /// rollout; else empty.
  std::string publish(const ovf::Estimator& estimator, const ovf::Message& message,
                      const ovf::EstimatorResult& result, ovf::Stamp now);
  void publish_status(const ovf::Estimator& estimator, ovf::Stamp now);

  /// Of the last messages.
  void add_latency(double seconds) { latencies_.add(seconds); }

  void set_periods(const ovf::OutputConfig& output) { output_ = output; }
  void set_publish_tf(bool on) { publish_tf_ = on; }

 private:
  template <typename M>
  using Publisher = std::shared_ptr<rclcpp_lifecycle::LifecyclePublisher<M>>;

  void collect(const ovf::Estimator& estimator, const ovf::Message& message,
               const ovf::EstimatorResult& result);
  void publish_pose(const ovf::Estimator& estimator, ovf::Stamp now);
  void publish_path();
  std::string publish_rollout(const ovf::Estimator& estimator);

  ovf::EstimatorConfig config_;
  ovf::OutputConfig output_;
  bool has_pose_;
  bool publish_tf_ = true;
  Publisher<ovf_msgs::msg::Posterior> posterior_;
  Publisher<nav_msgs::msg::Odometry> odometry_;
  Publisher<ovf_msgs::msg::Rollout> rollout_;
  Publisher<nav_msgs::msg::Path> path_, rollout_path_;
  Publisher<visualization_msgs::msg::MarkerArray> markers_;
  Publisher<visualization_msgs::msg::MarkerArray> landmarks_;
  Publisher<ovf_msgs::msg::ModelParameters> parameters_;
  Publisher<ovf_msgs::msg::FilterStatus> status_;
  std::unique_ptr<tf2_ros::TransformBroadcaster> broadcaster_;

  TransformGate transform_gate_;
  LatencyWindow latencies_;
  ovf::Stamp next_rollout_ = 0;
  ovf::Stamp next_parameters_ = 0;
  ovf::Stamp next_marker_ = 0;
  ovf::Stamp next_path_ = 0;
  double relbo_ = 0.0;
  // Their memory serves message after message.
  ovf_msgs::msg::Posterior posterior_message_;
  nav_msgs::msg::Odometry odometry_message_;
  ovf_msgs::msg::Rollout rollout_message_;
  nav_msgs::msg::Path path_message_, rollout_path_message_;
  ovf_msgs::msg::ModelParameters parameters_message_;
  ovf_msgs::msg::FilterStatus status_message_;
};

}  // namespace ovf_ros
