#include "ovf_ros/estimator_outputs.hpp"

#include <cmath>
#include <stdexcept>

#include "ovf/recording/estimator_messages.hpp"
#include "ovf_ros/markers.hpp"

namespace ovf_ros {
namespace {

constexpr double kMarkerPeriod = 0.1;  // seconds
constexpr int kRolloutEllipsoids = 10;
constexpr double kPathPeriod = 0.2;         // seconds
constexpr std::size_t kLongestPath = 2000;  // poses
// Of messages that came before there was a belief, the last ones are told of with the first one.
constexpr std::size_t kMostUpdates = 1000;
constexpr std::size_t kMostEvents = 1000;
constexpr double kMicro = 1e6;

// A time of the data at which something is due: now, if there was none or the clock was set back.
bool is_due(ovf::Stamp now, double period, ovf::Stamp& next) {
  if (period <= 0.0) return false;
  const auto step = static_cast<ovf::Stamp>(std::llround(period * 1e9));
  if (now < next && next - now <= step) return false;
  next = now + step;
  return true;
}

template <typename List>
void keep_last(std::size_t most, List& list) {
  if (list.size() <= most) return;
  list.erase(list.begin(), list.end() - static_cast<std::ptrdiff_t>(most / 2));
}

}  // namespace

EstimatorOutputs::EstimatorOutputs(rclcpp_lifecycle::LifecycleNode& node,
                                   const ovf::EstimatorConfig& config)
    : config_(config),
      output_(config.output),
      has_pose_(config.motion.kind != ovf::MotionKind::kJoints),
      transform_gate_(config.stream.clock_jump, config.stream.ahead_tolerance) {
  rclcpp::PublisherOptions options;
  options.qos_overriding_options = rclcpp::QosOverridingOptions::with_default_policies();
  const rclcpp::QoS reliable(rclcpp::KeepLast(10));
  const rclcpp::QoS latched = rclcpp::QoS(rclcpp::KeepLast(1)).transient_local();
  const auto add = [&]<typename M>(const char* name, const rclcpp::QoS& qos, Publisher<M>& out) {
    out = node.create_publisher<M>(name, qos, options);
  };
  add("~/posterior", reliable, posterior_);
  add("~/parameters", latched, parameters_);
  add("~/status", reliable, status_);
  if (!has_pose_) return;
  add("~/odometry", reliable, odometry_);
  add("~/rollout", reliable, rollout_);
  add("~/rollout_path", reliable, rollout_path_);
  add("~/path", reliable, path_);
  add("~/markers", reliable, markers_);
  add("~/landmarks", latched, landmarks_);
  broadcaster_ = std::make_unique<tf2_ros::TransformBroadcaster>(node);
}

void EstimatorOutputs::publish_landmarks() {
  if (has_pose_ && !config_.landmark_ids.empty()) landmarks_->publish(landmark_markers(config_));
}

std::string EstimatorOutputs::publish(const ovf::Estimator& estimator, const ovf::Message& message,
                                      const ovf::EstimatorResult& result, ovf::Stamp now) {
  collect(estimator, message, result);
  if (!estimator.initialised()) return {};
  fill_posterior(estimator, relbo_, posterior_message_);
  posterior_->publish(posterior_message_);
  posterior_message_.updates.clear();

  const ovf::Stamp stamp = estimator.stamp();
  const bool moved =
      result.outcome == ovf::Outcome::kUsed || result.outcome == ovf::Outcome::kPredicted;
  if (has_pose_ && moved) publish_pose(estimator, now);
  if (is_due(stamp, output_.parameters_period, next_parameters_)) {
    fill_parameters(estimator, parameters_message_);
    parameters_->publish(parameters_message_);
  }
  if (has_pose_ && is_due(stamp, output_.rollout_period, next_rollout_)) {
    return publish_rollout(estimator);
  }
  return {};
}

void EstimatorOutputs::collect(const ovf::Estimator& estimator, const ovf::Message& message,
                               const ovf::EstimatorResult& result) {
  relbo_ = result.elbo;
  fill_update(message, result, posterior_message_.updates.emplace_back());
  keep_last(kMostUpdates, posterior_message_.updates);
  for (const ovf::Event& event : result.events) {
    if (event.kind == ovf::EventKind::kClockSetBack) transform_gate_.forget();
    if (event.kind == ovf::EventKind::kInitialised) path_message_.poses.clear();
    status_message_.events.push_back(event_text(estimator, event));
  }
  keep_last(kMostEvents, status_message_.events);
}

void EstimatorOutputs::publish_pose(const ovf::Estimator& estimator, ovf::Stamp now) {
  const ovf::BodyBelief body = body_belief(estimator);
  fill_odometry(estimator, body, odometry_message_);
  odometry_->publish(odometry_message_);
  if (publish_tf_ && transform_gate_.passes(estimator.stamp(), now)) {
    geometry_msgs::msg::TransformStamped transform;
    fill_transform(estimator, body, transform);
    broadcaster_->sendTransform(transform);
  }
  if (is_due(estimator.stamp(), kPathPeriod, next_path_)) publish_path();
  if (is_due(estimator.stamp(), kMarkerPeriod, next_marker_) &&
      markers_->get_subscription_count() > 0) {
    visualization_msgs::msg::MarkerArray markers;
    markers.markers.push_back(belief_marker(odometry_message_.header, body.mean.position,
                                            body.pose_covariance.topLeftCorner<3, 3>()));
    markers_->publish(markers);
  }
}

void EstimatorOutputs::publish_path() {
  path_message_.header = odometry_message_.header;
  auto& pose = path_message_.poses.emplace_back();
  pose.header = odometry_message_.header;
  pose.pose = odometry_message_.pose.pose;
  keep_last(kLongestPath, path_message_.poses);
  if (path_->get_subscription_count() > 0) path_->publish(path_message_);
}

std::string EstimatorOutputs::publish_rollout(const ovf::Estimator& estimator) {
  try {
    fill_rollout(estimator, estimator.rollout(output_.rollout()), rollout_message_);
  } catch (const std::exception& error) {
    return error.what();
  }
  rollout_->publish(rollout_message_);
  ovf::fill_path(rollout_message_, rollout_path_message_);
  rollout_path_->publish(rollout_path_message_);
  if (markers_->get_subscription_count() > 0) {
    markers_->publish(rollout_markers(rollout_message_, kRolloutEllipsoids));
  }
  return {};
}

void EstimatorOutputs::publish_status(const ovf::Estimator& estimator, ovf::Stamp now) {
  fill_status(estimator, relbo_, status_message_);
  if (!estimator.initialised()) ovf::set_time(now, status_message_.header.stamp);
  const std::vector<double> latency = latencies_.quantiles({0.5, 0.95, 0.99, 1.0});
  status_message_.latency_p50 = kMicro * latency[0];
  status_message_.latency_p95 = kMicro * latency[1];
  status_message_.latency_p99 = kMicro * latency[2];
  status_message_.latency_max = kMicro * latency[3];
  status_->publish(status_message_);
  status_message_.events.clear();
}

}  // namespace ovf_ros
