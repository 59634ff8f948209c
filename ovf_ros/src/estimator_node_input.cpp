#include <chrono>
#include <optional>
#include <utility>

#include "ovf/recording/estimator_messages.hpp"
#include "ovf/recording/message_input.hpp"
#include "ovf_ros/estimator_node.hpp"

// What an active EstimatorNode does with messages.
namespace ovf_ros {
namespace {

// A mounting that becomes known within the first seconds of data is worth a new start: then it is
// what learning starts from. Later on, too much would be lost.
constexpr double kLatestFreshStart = 10.0;

std::string name_of(const ovf::EstimatorConfig& config, int taker) {
  return taker < 0 ? "control" : config.sensors[static_cast<std::size_t>(taker)].name;
}

}  // namespace

void EstimatorNode::receive(const InputTopic& topic, const std::string& type,
                            std::span<const std::byte> bytes) {
  const auto begun = std::chrono::steady_clock::now();
  const ovf::Stamp now = now_ns();
  const bool had_origin = conversion_->frame().has_value();
  ovf::Sensed sensed;
  std::string broken;
  try {
    sensed = ovf::sense_message(type, bytes, now);
  } catch (const std::exception& error) {
    broken = error.what();
  }
  messages_.clear();
  for (const int taker : topic.takers) {
    diagnostics_->received(taker);
    std::string problem;
    if (!broken.empty()) {
      problem = "unreadable";
    } else if (taker < 0) {
      problem = conversion_->control(sensed, messages_);
    } else {
      take_mounting(taker, type, sensed.frame);
      problem = conversion_->measurements(taker, sensed, messages_);
    }
    if (problem.empty()) continue;
    diagnostics_->unused(taker, problem);
    const std::string name = name_of(estimator_config_, taker);
    if (log_limiter_.is_due(name + " input", problem)) {
      RCLCPP_WARN(get_logger(), "%s on %s: %s%s%s", name.c_str(), topic.name.c_str(),
                  problem.c_str(), broken.empty() ? "" : ": ", broken.c_str());
    }
  }
  check_origin(had_origin);
  for (const ovf::Message& message : messages_) process(message, now);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
  if (!messages_.empty()) outputs_->add_latency(taken.count());
}

void EstimatorNode::process(const ovf::Message& message, ovf::Stamp now) {
  // A simulated clock that has not begun says nothing of when a message came.
  const ovf::EstimatorResult& result =
      estimator_->process(message, now > 0 ? std::optional(now) : std::nullopt);
  if (!first_stamp_) first_stamp_ = ovf::stamp_of(message);
  diagnostics_->processed(message, result);
  const std::string problem = outputs_->publish(*estimator_, message, result, now);
  if (!problem.empty() && log_limiter_.is_due("rollout", problem)) {
    RCLCPP_WARN(get_logger(), "no rollout: %s", problem.c_str());
  }
  for (const ovf::Event& event : result.events) log_event(event);
  if (result.reason.empty() || result.outcome == ovf::Outcome::kNotInitialised) return;
  const auto* measurement = std::get_if<ovf::Measurement>(&message);
  const std::string name = measurement != nullptr ? measurement->sensor : "control";
  const std::string outcome = ovf::to_string(result.outcome);
  if (log_limiter_.is_due(name + ": " + outcome)) {
    RCLCPP_WARN(get_logger(), "%s: %s: %s; %s", name.c_str(), outcome.c_str(),
                result.reason.c_str(),
                advice_for(outcome, measurement != nullptr ? name : "").c_str());
  }
}

void EstimatorNode::log_event(const ovf::Event& event) {
  const std::string text = event_text(*estimator_, event);
  if (event.kind == ovf::EventKind::kRerun || event.kind == ovf::EventKind::kGapCrossed) {
    RCLCPP_DEBUG(get_logger(), "%s", text.c_str());
    return;
  }
  if (!log_limiter_.is_due("event " + std::string(to_string(event.kind)) +
                           std::to_string(event.sensor))) {
    return;
  }
  if (event.kind == ovf::EventKind::kSensorSilent) {
    RCLCPP_WARN(get_logger(), "%s s: look at the driver, or raise %s.timeout", text.c_str(),
                name_of(estimator_config_, event.sensor).c_str());
  } else if (event.kind == ovf::EventKind::kSensorsContradict) {
    const ovf::Contradiction& told = estimator_->contradiction(event.sensor);
    RCLCPP_WARN(get_logger(), "%s: %s", name_of(estimator_config_, event.sensor).c_str(),
                contradiction_text(estimator_config_, told).c_str());
  } else if (event.kind == ovf::EventKind::kClockOffset) {
    RCLCPP_WARN(get_logger(), "%s: %s", name_of(estimator_config_, event.sensor).c_str(),
                clock_offset_text(estimator_config_, event.value).c_str());
  } else if (event.kind == ovf::EventKind::kErrorsLast) {
    const ovf::SensorConfig& sensor =
        estimator_config_.sensors[static_cast<std::size_t>(event.sensor)];
    RCLCPP_WARN(get_logger(), "%s", lasting_errors_text(sensor, event.value).c_str());
  } else {
    RCLCPP_INFO(get_logger(), "%s", text.c_str());
  }
}

void EstimatorNode::take_mounting(int sensor, const std::string& type, const std::string& frame) {
  if (!mounting_) return;
  const auto transform = mounting_->see(sensor, type, frame);
  if (!transform) return;
  ovf::SensorConfig& mounted = estimator_config_.sensors[static_cast<std::size_t>(sensor)];
  set_mounting(*transform, mounted);
  const bool is_young =
      !restored_ && (!first_stamp_ ||
                     ovf::seconds_between(*first_stamp_, estimator_->stamp()) < kLatestFreshStart);
  RCLCPP_INFO(get_logger(), "mounting from /tf_static%s:\n  %s",
              is_young ? ", the estimator starts anew" : "; what was learned of it stays",
              mounting_text(mounted).c_str());
  replace_estimator(!is_young);
  // What was converted before is of the old one.
  messages_.clear();
}

void EstimatorNode::replace_estimator(bool keep_state) {
  const auto origin = conversion_->frame();
  const bool restored = restored_;
  const std::unique_ptr<ovf::Estimator> old = std::move(estimator_);
  make_estimator();
  if (keep_state) {
    estimator_->go_on_from(*old);
    restored_ = restored;
  } else if (given_belief_) {
    initialise(*given_belief_);
  }
  if (origin) {
    ovf::EstimatorConfig config = estimator_config_;
    const ovf::GeodeticPoint& place = origin->origin();
    config.gnss_origin = {place.latitude, place.longitude, place.altitude};
    conversion_ = std::make_unique<ovf::MessageConversion>(config);
  }
  diagnostics_->set_view({estimator_.get(), inputs_.get(), mounting_.get()});
}

void EstimatorNode::check_origin(bool had_origin) {
  if (had_origin || !conversion_->frame() || !restored_) return;
  restored_ = false;
  estimator_->reset(true);
  RCLCPP_WARN(get_logger(),
              "the restored belief is forgotten, what was learned stays: the world's origin is now "
              "the first fix; set gnss_origin to go on with beliefs, too");
}

void EstimatorNode::receive_initial_pose(
    const geometry_msgs::msg::PoseWithCovarianceStamped& pose) {
  try {
    initialise(initial_belief(*estimator_, pose, now_ns()));
    RCLCPP_INFO(get_logger(), "initialised by a pose on initialpose");
  } catch (const std::exception& error) {
    RCLCPP_WARN(get_logger(), "initialpose: %s", error.what());
  }
}

void EstimatorNode::watch() {
  inputs_->watch();
  for (const InputSubscriptions::Input& input : inputs_->inputs()) {
    const std::string key = "topic " + input.topic.name;
    if (input.problem == InputProblem::kNone) {
      log_limiter_.forget(key);
    } else if (log_limiter_.is_due(key, input.text)) {
      RCLCPP_WARN(get_logger(), "%s", input.text.c_str());
    }
  }
  for (int i = 0; mounting_ && i < static_cast<int>(estimator_config_.sensors.size()); ++i) {
    if (mounting_->state(i) != StaticMounting::State::kMissing) continue;
    const std::string name = name_of(estimator_config_, i);
    if (log_limiter_.is_due("mounting of " + name)) {
      const std::string text = missing_transform_text(estimator_config_, i, mounting_->frame(i));
      RCLCPP_WARN(get_logger(), "%s: %s", name.c_str(), text.c_str());
    }
  }
  if (get_clock()->ros_time_is_active() && now_ns() == 0) {
    if (log_limiter_.is_due("clock")) {
      RCLCPP_WARN(get_logger(), "use_sim_time is true, but nobody publishes /clock");
    }
    diagnostics_->update();
  }
}

ovf::Stamp EstimatorNode::now_ns() { return get_clock()->now().nanoseconds(); }

}  // namespace ovf_ros
