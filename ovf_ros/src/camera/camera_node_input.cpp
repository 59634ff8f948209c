#include <chrono>
#include <exception>
#include <utility>

#include "ovf/recording/message_input.hpp"
#include "ovf_ros/camera/camera_node.hpp"

// What an active CameraNode does with pictures and controls.
namespace ovf_ros {

using ovf::FrameOutcome;

void CameraNode::receive(Picture picture) {
  monitor_.received();
  Frame frame;
  frame.received = std::chrono::steady_clock::now();
  const builtin_interfaces::msg::Time& stamp = header_of(picture).stamp;
  frame.stamp = ovf::Stamp{1'000'000'000} * stamp.sec + stamp.nanosec;
  // As in a recording: a picture without a stamp has the time of its receipt.
  if (frame.stamp == 0) frame.stamp = now_ns();
  frame.picture = std::move(picture);
  frame.controls = std::exchange(new_controls_, {});
  if (mailbox_->put(std::move(frame))) monitor_.dropped();
}

void CameraNode::receive_control(const std::string& type, std::span<const std::byte> bytes) {
  std::string problem;
  try {
    const ovf::Sensed sensed = ovf::sense_message(type, bytes, now_ns());
    if (!sensed.velocity || !sensed.turn_rate) {
      problem = "no velocities";
    } else {
      const Eigen::Vector2d control(sensed.velocity->x(), sensed.turn_rate->z());
      if (control.allFinite()) {
        append_control(control, new_controls_);
      } else {
        problem = "not finite";
      }
    }
  } catch (const std::exception&) {
    problem = "unreadable";
  }
  monitor_.control(problem);
  if (!problem.empty() && is_worth_logging("control", problem)) {
    RCLCPP_WARN(get_logger(), "a control (%s) on %s is not used: %s", type.c_str(),
                camera_config_.control_topic.c_str(), problem.c_str());
  }
}

void CameraNode::work() {
  while (const auto frame = mailbox_->take()) {
    try {
      process(*frame);
    } catch (const std::exception& error) {
      // Of a network, or of memory: what is half done is not gone on from.
      ovf::FrameResult failure;
      failure.outcome = FrameOutcome::kNumericalFailure;
      failure.reason = error.what();
      monitor_.processed(frame->stamp, failure);
      refuse(ovf::to_string(failure.outcome), failure.reason);
      const std::lock_guard lock(mutex_);
      estimator_->reset(true);
      monitor_.restored(false, 0);
    }
  }
}

void CameraNode::process(const Frame& frame) {
  ovf::Image image;
  std::string problem;
  try {
    image = image_of(frame.picture);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  {
    const std::lock_guard lock(mutex_);
    for (const Eigen::Vector2d& control : frame.controls) estimator_->set_control(control);
    if (problem.empty()) {
      const ovf::FrameResult& result = estimator_->process(frame.stamp, image);
      monitor_.processed(frame.stamp, result);
      if (result.used()) {
        outputs_->publish(*estimator_, result, header_of(frame.picture).frame_id);
      } else if (result.outcome != FrameOutcome::kTooSoon) {
        refuse(ovf::to_string(result.outcome), result.reason);
      }
      if (result.parameters_restored && is_worth_logging("parameters restored")) {
        RCLCPP_WARN(get_logger(), "predictions became far worse: back to the last good parameters");
      }
    }
  }
  if (!problem.empty()) {
    monitor_.bad_picture(problem);
    refuse(ovf::to_string(FrameOutcome::kBadImage), problem);
    return;
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - frame.received;
  monitor_.add_latency(taken.count());
}

void CameraNode::refuse(const std::string& outcome, const std::string& reason) {
  if (!is_worth_logging("picture " + outcome, reason)) return;
  RCLCPP_WARN(get_logger(), "a picture is not used: %s: %s; %s", outcome.c_str(), reason.c_str(),
              camera_advice_for(outcome).c_str());
}

void CameraNode::watch() {
  images_->watch();
  if (controls_) controls_->watch();
  const auto tell = [this](const std::string& key, InputProblem problem, const std::string& text) {
    if (problem == InputProblem::kNone) {
      const std::lock_guard lock(log_mutex_);
      log_limiter_.forget(key);
    } else if (is_worth_logging(key, text)) {
      RCLCPP_WARN(get_logger(), "%s", text.c_str());
    }
  };
  tell("pictures", images_->problem(), images_->text());
  if (controls_) {
    const InputSubscriptions::Input& input = controls_->inputs().front();
    tell("controls", input.problem, input.text);
  }
  if (get_clock()->ros_time_is_active() && now_ns() == 0) {
    if (is_worth_logging("clock")) {
      RCLCPP_WARN(get_logger(), "use_sim_time is true, but nobody publishes /clock");
    }
    diagnostics_->update();
  }
}

ovf::Stamp CameraNode::now_ns() { return get_clock()->now().nanoseconds(); }

bool CameraNode::is_worth_logging(const std::string& key, const std::string& text) {
  const std::lock_guard lock(log_mutex_);
  return log_limiter_.is_due(key, text);
}

}  // namespace ovf_ros
