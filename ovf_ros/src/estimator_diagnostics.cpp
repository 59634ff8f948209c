#include "ovf_ros/estimator_diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <variant>

#include "diagnostic_msgs/msg/diagnostic_status.hpp"
#include "ovf/estimator/findings.hpp"

namespace ovf_ros {
namespace {

using diagnostic_msgs::msg::DiagnosticStatus;

// What happened is told of for so long, in seconds.
constexpr double kRecent = 10.0;
// A larger share of unused messages is worth a warning.
constexpr double kMostUnused = 0.5;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return text;
}

const InputSubscriptions::Input* input_of(const InputSubscriptions& inputs, int taker) {
  for (const auto& input : inputs.inputs()) {
    const auto& takers = input.topic.takers;
    if (std::find(takers.begin(), takers.end(), taker) != takers.end()) return &input;
  }
  return nullptr;
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

std::string missing_transform_text(const ovf::EstimatorConfig& config, int sensor,
                                   const std::string& frame) {
  return "no transform from " + config.output.body_frame + " to " + frame +
         " on /tf_static: mounting taken for zero; publish it, set " +
         config.sensors[static_cast<std::size_t>(sensor)].name +
         ".offset_x, ..., .yaw, or mounting_from_tf to false";
}

std::string lasting_errors_text(const ovf::SensorConfig& sensor, double correlation) {
  return sensor.name + ": errors last, those of neighbouring messages are correlated (" +
         number(correlation) + "), so that a message counts for less: they are taken to last for " +
         "at most " + number(sensor.error_time) + " s (" + sensor.name +
         ".error_time), and noise is not learned below 1/" + number(sensor.noise_factor) + " of " +
         sensor.name + ".noise";
}

std::string contradiction_text(const ovf::EstimatorConfig& config, const ovf::Contradiction& told) {
  const std::string other =
      told.other < 0 ? "the motion" : config.sensors[static_cast<std::size_t>(told.other)].name;
  return "contradicts " + other + " by " + number(told.deviations) + " standard deviations (" +
         number(told.distance) +
         " m): one of them is wrong, or the pose was; the belief is stated as wide as both need";
}

std::string clock_offset_text(const ovf::EstimatorConfig& config, double offset) {
  return "its stamps are " + number(std::abs(offset)) + " s " +
         (offset > 0.0 ? "ahead of" : "behind") + " those of the other inputs" +
         (config.stream.correct_clock_offsets
              ? ", which is corrected"
              : ": set the clock of its driver (18 s is GPS time), or stream.correct_clock_offsets "
                "to true");
}

std::string advice_for(const std::string& reason, const std::string& sensor) {
  const auto is = [&](ovf::Outcome outcome) { return reason == ovf::to_string(outcome); };
  if (is(ovf::Outcome::kOutOfOrder)) return "set stream.late to rerun";
  if (is(ovf::Outcome::kAheadOfTime)) {
    return "set the clock of its driver, or see stream.correct_clock_offsets";
  }
  if (is(ovf::Outcome::kDuplicate)) return "look for a second publisher of the topic";
  if (sensor.empty()) {
    if (is(ovf::Outcome::kTooOld)) return "see stream.history";
    if (is(ovf::Outcome::kNumericalFailure)) return "see motion.noise, and the driver";
    return "see motion.control, and the driver";
  }
  if (is(ovf::Outcome::kGated)) return "see " + sensor + ".gate, .noise and .nu";
  if (is(ovf::Outcome::kTooOld)) return "see " + sensor + ".delay_limit and stream.history";
  if (is(ovf::Outcome::kUnknownTarget)) return "see landmarks.ids and " + sensor + ".targets";
  if (is(ovf::Outcome::kWrongSize)) return "see " + sensor + ".kind and .axes, and the driver";
  if (is(ovf::Outcome::kNumericalFailure)) return "see " + sensor + ".noise and motion.noise";
  return "see " + sensor + ".kind, and the driver";
}

EstimatorDiagnostics::EstimatorDiagnostics(rclcpp_lifecycle::LifecycleNode& node,
                                           const ovf::EstimatorConfig& config)
    : node_(node),
      config_(config),
      counts_(config.sensors.size() + 1),
      contradictions_(config.sensors.size()),
      updater_(&node) {
  updater_.setHardwareID("none");
  updater_.add("estimator", [this](Status& status) { report_estimator(status); });
  updater_.add("learning", [this](Status& status) { report_learning(status); });
  updater_.add("model", [this](Status& status) { report_model(status); });
  if (config.motion.control != ovf::ControlKind::kNone) {
    updater_.add("control", [this](Status& status) { report_input(-1, status); });
  }
  for (std::size_t i = 0; i < config.sensors.size(); ++i) {
    updater_.add("sensor " + config.sensors[i].name,
                 [this, i](Status& status) { report_input(static_cast<int>(i), status); });
  }
}

ovf::Stamp EstimatorDiagnostics::now() const { return node_.get_clock()->now().nanoseconds(); }

void EstimatorDiagnostics::start() {
  for (InputCounts& counts : counts_) counts.start(now());
  events_.fill(std::nullopt);
  contradictions_.assign(contradictions_.size(), std::nullopt);
  failure_.reset();
}

void EstimatorDiagnostics::processed(const ovf::Message& message,
                                     const ovf::EstimatorResult& result) {
  for (const ovf::Event& event : result.events) {
    events_[static_cast<std::size_t>(event.kind)] = now();
    if (event.kind == ovf::EventKind::kSensorsContradict) {
      contradictions_[static_cast<std::size_t>(event.sensor)] = now();
    }
  }
  if (result.outcome == ovf::Outcome::kNumericalFailure) {
    failure_ = now();
    const ovf::Stamp stamp = std::visit([](const auto& any) { return any.stamp; }, message);
    failure_text_ =
        (result.sensor < 0 ? std::string("control")
                           : config_.sensors[static_cast<std::size_t>(result.sensor)].name) +
        " of stamp " + std::to_string(ovf::seconds_between(0, stamp)) + " s: " + result.reason;
  }
  const bool is_control = std::holds_alternative<ovf::Control>(message);
  if (!is_control && result.sensor < 0) return;
  InputCounts& counts = this->counts(is_control ? -1 : result.sensor);
  switch (result.outcome) {
    case ovf::Outcome::kUsed:
    case ovf::Outcome::kPredicted:
    case ovf::Outcome::kNotInitialised:  // not the sensor's fault
      counts.used();
      break;
    default:
      counts.unused(ovf::to_string(result.outcome));
  }
}

bool EstimatorDiagnostics::is_recent(const std::optional<ovf::Stamp>& stamp) const {
  if (!stamp) return false;
  const double age = ovf::seconds_between(*stamp, now());
  return age >= 0.0 && age < kRecent;
}

bool EstimatorDiagnostics::is_recent(ovf::EventKind kind) const {
  return is_recent(events_[static_cast<std::size_t>(kind)]);
}

std::string EstimatorDiagnostics::contradicting_sensors() const {
  std::string names;
  for (std::size_t i = 0; i < contradictions_.size(); ++i) {
    if (!is_recent(contradictions_[i]) && !view_.estimator->is_disputed(static_cast<int>(i))) {
      continue;
    }
    names += (names.empty() ? "" : "; ") + config_.sensors[i].name + " " +
             contradiction_text(config_, view_.estimator->contradiction(static_cast<int>(i)));
  }
  return names;
}

std::string EstimatorDiagnostics::first_belief_advice() const {
  switch (config_.initial.rule) {
    case ovf::InitialRule::kGiven:
      return "waiting for a first message";
    case ovf::InitialRule::kMeasurement:
      return "waiting for a first pose or position (initial.rule: measurement)";
    case ovf::InitialRule::kCourse:
      return "waiting until positions have come over initial.course_distance, " +
             number(config_.initial.course_distance) + " m: drive on";
    case ovf::InitialRule::kCall:
      break;
  }
  return "waiting for a pose on initialpose, or a call of ~/reset (initial.rule: call)";
}

void EstimatorDiagnostics::report_estimator(Status& status) {
  if (view_.estimator == nullptr) {
    status.summary(DiagnosticStatus::OK, "not configured");
    return;
  }
  const ovf::Counters& counters = view_.estimator->counters();
  for (int i = 0; i < ovf::kOutcomes; ++i) {
    status.add(ovf::to_string(static_cast<ovf::Outcome>(i)),
               counters.outcomes[static_cast<std::size_t>(i)]);
  }
  if (view_.inputs == nullptr) {
    status.summary(DiagnosticStatus::OK, "inactive");
  } else if (node_.get_clock()->ros_time_is_active() && now() == 0) {
    status.summary(DiagnosticStatus::ERROR,
                   "use_sim_time is true, but nobody publishes /clock: start the recording or the "
                   "simulation, or set use_sim_time to false");
  } else if (is_recent(failure_) || is_recent(ovf::EventKind::kRestarted)) {
    status.summary(DiagnosticStatus::ERROR,
                   "numerical failure: " + failure_text_ + "; see the noise of sensors and motion");
  } else if (!view_.estimator->initialised()) {
    status.summary(DiagnosticStatus::WARN, "no belief yet: " + first_belief_advice());
  } else if (is_recent(ovf::EventKind::kClockSetBack)) {
    status.summary(DiagnosticStatus::WARN,
                   "the clock was set back by more than stream.clock_jump: the belief is new");
  } else if (const double ahead = ovf::seconds_between(now(), view_.estimator->stamp());
             ahead > config_.stream.ahead_tolerance) {
    status.summary(DiagnosticStatus::WARN,
                   "the stamps of its inputs are " + number(ahead) +
                       " s ahead of this node's clock: no transforms are sent; set the clocks");
  } else if (const std::string names = contradicting_sensors(); !names.empty()) {
    status.summary(DiagnosticStatus::WARN, "sensors contradict each other: " + names);
  } else if (!save_problem_.empty()) {
    status.summary(DiagnosticStatus::WARN, "checkpoint not saved: " + save_problem_);
  } else {
    status.summary(DiagnosticStatus::OK, "active");
  }
}

void EstimatorDiagnostics::report_learning(Status& status) {
  if (view_.estimator == nullptr) {
    status.summary(DiagnosticStatus::OK, "not configured");
  } else if (!view_.estimator->learning()) {
    status.summary(DiagnosticStatus::OK, "off");
  } else if (is_recent(ovf::EventKind::kParametersRestored)) {
    status.summary(DiagnosticStatus::WARN,
                   "predictions became far worse: back to the last good parameters; see "
                   "guard.collapse, or set learning to false");
  } else if (is_recent(ovf::EventKind::kAbruptChange)) {
    status.summary(DiagnosticStatus::WARN,
                   "innovations became too large: what was learned is uncertain again; see "
                   "guard.change");
  } else {
    status.summary(DiagnosticStatus::OK, "on");
  }
}

void EstimatorDiagnostics::report_model(Status& status) {
  if (view_.estimator == nullptr) {
    status.summary(DiagnosticStatus::OK, "not configured");
    return;
  }
  status.summary(DiagnosticStatus::OK, "nothing speaks against it");
  for (const std::string& finding : ovf::findings(*view_.estimator)) {
    status.mergeSummary(DiagnosticStatus::WARN, finding);
  }
}

void EstimatorDiagnostics::report_input(int taker, Status& status) {
  const bool is_control = taker < 0;
  const ovf::SensorConfig* sensor =
      is_control ? nullptr : &config_.sensors[static_cast<std::size_t>(taker)];
  const double timeout = is_control ? config_.motion.control_timeout : sensor->timeout;
  const std::string timeout_key = is_control ? "motion.control_timeout" : sensor->name + ".timeout";
  if (view_.inputs == nullptr) {
    status.summary(DiagnosticStatus::OK, "inactive");
    return;
  }
  const InputSubscriptions::Input* input = input_of(*view_.inputs, taker);
  const InputCounts::Summary seen = counts(taker).summary(now());
  status.add("topic", input->name);
  status.add("type", input->type);
  status.addf("rate", "%.2f Hz", seen.rate);
  status.add("messages in all", counts(taker).total().received);
  status.add("messages used in all", counts(taker).total().used);
  for (const auto& [reason, count] : seen.counts.unused) status.add(reason, count);

  status.summaryf(DiagnosticStatus::OK, "%.2f Hz", seen.rate);
  if (!is_control && view_.mounting != nullptr) {
    if (view_.mounting->state(taker) == StaticMounting::State::kMissing) {
      status.mergeSummary(DiagnosticStatus::WARN,
                          missing_transform_text(config_, taker, view_.mounting->frame(taker)));
    }
  }
  const double offset = view_.estimator != nullptr ? view_.estimator->clock_offset(taker) : 0.0;
  if (offset != 0.0) {
    status.mergeSummary(DiagnosticStatus::WARN, clock_offset_text(config_, offset));
  }
  const long unused = seen.counts.received > 0 ? seen.main_count : 0;
  if (input->problem != InputProblem::kNone) {
    status.mergeSummary(level_of(input->problem), input->text);
  } else if (seen.silence > timeout) {
    status.mergeSummary(
        DiagnosticStatus::WARN,
        "silent for " + number(seen.silence) + " s: look at the driver, or raise " + timeout_key);
  } else if (unused > 0 && seen.counts.used == 0) {
    status.mergeSummary(DiagnosticStatus::ERROR,
                        "nothing is used: " + seen.main_reason + "; " +
                            advice_for(seen.main_reason, is_control ? "" : sensor->name));
  } else if (static_cast<double>(unused) >
             kMostUnused * static_cast<double>(unused + seen.counts.used)) {
    status.mergeSummary(DiagnosticStatus::WARN,
                        "most is not used: " + seen.main_reason + "; " +
                            advice_for(seen.main_reason, is_control ? "" : sensor->name));
  }
}

}  // namespace ovf_ros
