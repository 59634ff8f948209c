#include "ovf_ros/camera/camera_diagnostics.hpp"

#include <algorithm>
#include <cstdio>

#include "diagnostic_msgs/msg/diagnostic_status.hpp"

namespace ovf_ros {
namespace {

using diagnostic_msgs::msg::DiagnosticStatus;

// A larger share of unused pictures is worth a warning.
constexpr double kMostUnused = 0.5;
// Fewer steps than this share of what was asked for: the machine is too slow.
constexpr double kFewestSteps = 0.9;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return text;
}

unsigned char level_of(InputProblem problem) {
  switch (problem) {
    case InputProblem::kNone:
      return DiagnosticStatus::OK;
    case InputProblem::kNoPublisher:
    case InputProblem::kSeveralTypes:
      return DiagnosticStatus::WARN;
    case InputProblem::kUnknownType:
    case InputProblem::kIncompatibleQos:
      break;
  }
  return DiagnosticStatus::ERROR;
}

}  // namespace

std::string camera_advice_for(const std::string& outcome) {
  const auto is = [&](ovf::FrameOutcome which) { return outcome == ovf::to_string(which); };
  if (is(ovf::FrameOutcome::kDuplicate)) return "look for a second publisher of the topic";
  if (is(ovf::FrameOutcome::kOutOfOrder)) {
    return "look for a second publisher of the topic, or lower clock_jump";
  }
  if (is(ovf::FrameOutcome::kBadStamp)) return "see the clock of the driver";
  if (is(ovf::FrameOutcome::kNumericalFailure)) {
    return "see pixel_variance and motion.noise_variance";
  }
  return "see image_topic, image_transport and the driver";
}

CameraDiagnostics::CameraDiagnostics(rclcpp_lifecycle::LifecycleNode& node,
                                     const ovf::CameraConfig& config, CameraMonitor& monitor)
    : node_(node), config_(config), monitor_(monitor), updater_(&node) {
  updater_.setHardwareID("none");
  updater_.add("camera", [this](Status& status) { report_camera(status); });
  updater_.add("pictures", [this](Status& status) { report_pictures(status); });
  updater_.add("learning", [this](Status& status) { report_learning(status); });
  if (config.has_controls()) {
    updater_.add("control", [this](Status& status) { report_control(status); });
  }
}

std::string CameraDiagnostics::slow_text(const CameraMonitor::View& view) const {
  const double wanted = std::min(config_.rate, view.pictures.rate);
  if (view.recently_dropped == 0 || view.used_rate >= kFewestSteps * wanted) return {};
  return "cannot keep up: " + number(view.used_rate) + " of " + number(wanted) +
         " steps a second, other pictures are dropped; lower rate, take a smaller model, or raise "
         "threads";
}

void CameraDiagnostics::report_camera(Status& status) {
  const CameraMonitor::View view = monitor_.view();
  for (int i = 0; i < ovf::kFrameOutcomes; ++i) {
    status.add(ovf::to_string(static_cast<ovf::FrameOutcome>(i)),
               view.counts[static_cast<std::size_t>(i)]);
  }
  status.add("Dropped", view.dropped);
  status.addf("steps", "%.2f Hz", view.used_rate);
  const std::string slow = slow_text(view);
  if (inputs_.images == nullptr) {
    status.summary(DiagnosticStatus::OK, "inactive");
  } else if (node_.get_clock()->ros_time_is_active() &&
             node_.get_clock()->now().nanoseconds() == 0) {
    status.summary(DiagnosticStatus::ERROR,
                   "use_sim_time is true, but nobody publishes /clock: start the recording or the "
                   "simulation, or set use_sim_time to false");
  } else if (!view.failure.empty()) {
    status.summary(DiagnosticStatus::ERROR,
                   "numerical failure: " + view.failure + "; " +
                       camera_advice_for(ovf::to_string(ovf::FrameOutcome::kNumericalFailure)));
  } else if (!view.initialised) {
    status.summary(DiagnosticStatus::WARN, "waiting for a first picture: see pictures");
  } else if (!slow.empty()) {
    status.summary(DiagnosticStatus::WARN, slow);
  } else if (view.clock_set_back) {
    status.summary(DiagnosticStatus::WARN,
                   "the clock was set back by more than clock_jump: the latent state is new");
  } else if (!view.save_problem.empty()) {
    status.summary(DiagnosticStatus::WARN, "checkpoint not saved: " + view.save_problem);
  } else {
    status.summary(DiagnosticStatus::OK, "active");
  }
}

void CameraDiagnostics::report_pictures(Status& status) {
  if (inputs_.images == nullptr) {
    status.summary(DiagnosticStatus::OK, "inactive");
    return;
  }
  const CameraMonitor::View view = monitor_.view();
  const InputCounts::Summary& seen = view.pictures;
  status.add("topic", inputs_.images->topic());
  status.addf("rate", "%.2f Hz", seen.rate);
  for (const auto& [reason, count] : seen.counts.unused) status.add(reason, count);
  if (!view.bad_picture.empty()) status.add("last bad picture", view.bad_picture);

  status.summaryf(DiagnosticStatus::OK, "%.2f Hz", seen.rate);
  const bool is_bad = seen.main_reason == ovf::to_string(ovf::FrameOutcome::kBadImage);
  const std::string why = seen.main_reason + (is_bad ? ", " + view.bad_picture : "") + "; " +
                          camera_advice_for(seen.main_reason);
  if (inputs_.images->problem() != InputProblem::kNone) {
    status.mergeSummary(level_of(inputs_.images->problem()), inputs_.images->text());
  } else if (seen.silence > config_.longest_gap) {
    status.mergeSummary(DiagnosticStatus::WARN, "silent for " + number(seen.silence) +
                                                    " s: look at the driver, or raise longest_gap");
  } else if (seen.main_count > 0 && seen.counts.used == 0) {
    status.mergeSummary(DiagnosticStatus::ERROR, "nothing is used: " + why);
  } else if (static_cast<double>(seen.main_count) >
             kMostUnused * static_cast<double>(seen.main_count + seen.counts.used)) {
    status.mergeSummary(DiagnosticStatus::WARN, "most is not used: " + why);
  }
}

void CameraDiagnostics::report_learning(Status& status) {
  const CameraMonitor::View view = monitor_.view();
  if (!view.learning) {
    status.summary(DiagnosticStatus::OK, "off");
  } else if (view.fell_back) {
    status.summary(DiagnosticStatus::WARN,
                   "predictions became far worse: back to the last good parameters; see "
                   "guard.collapse, or set learning to false");
  } else {
    status.summary(DiagnosticStatus::OK, "on");
  }
}

void CameraDiagnostics::report_control(Status& status) {
  if (inputs_.controls == nullptr) {
    status.summary(DiagnosticStatus::OK, "inactive");
    return;
  }
  const InputSubscriptions::Input& input = inputs_.controls->inputs().front();
  const InputCounts::Summary seen = monitor_.view().controls;
  status.add("topic", input.name);
  status.add("type", input.type);
  for (const auto& [reason, count] : seen.counts.unused) status.add(reason, count);
  status.summaryf(DiagnosticStatus::OK, "%.2f Hz", seen.rate);
  if (input.problem != InputProblem::kNone) {
    status.mergeSummary(level_of(input.problem), input.text);
  } else if (seen.silence > config_.longest_gap) {
    status.mergeSummary(DiagnosticStatus::WARN, "silent for " + number(seen.silence) +
                                                    " s, the last control goes on: look at the "
                                                    "driver, or set control_topic to nothing");
  } else if (seen.main_count > 0 && seen.counts.used == 0) {
    status.mergeSummary(DiagnosticStatus::ERROR,
                        "nothing is used: " + seen.main_reason + "; see control_topic");
  }
}

}  // namespace ovf_ros
