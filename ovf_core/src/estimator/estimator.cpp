#include "ovf/estimator/estimator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "estimator/plausible_control.hpp"
#include "ovf/math/chi_square.hpp"

namespace ovf {
namespace {

// A gap is crossed in no more steps than this.
constexpr double kMostSteps = 200.0;
// Numerical failures in a row after which the belief is made wide.
constexpr int kMostFailures = 5;
// No robot is further from its origin, in metres: a belief there has gone wrong.
constexpr double kFarthestPlace = 1e8;
// A good message whose influence is limited would be taken for noise of its sensor, not for motion:
// there is no more than one in so many.
constexpr double kRareMessage = 1e-5;
// Where the velocity and the turn rate are in the state of a planar robot.
constexpr Eigen::Index kPlanarVelocity = 3;
// Of what is anywhere from 0 to twice its usual value, as a share of that.
constexpr double kUniformDeviation = 0.577;
// Of the information about noise levels, nu and weights, when the robot or its world has changed.
constexpr double kRetainedOnChange = 0.5;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Estimator::Estimator(const EstimatorConfig& config, Clock clock)
    : config_(config),
      clock_(clock ? std::move(clock) : steady_seconds),
      robot_(make_robot_model(config)),
      first_parameters_(robot_.state_space.parameters().values()),
      filter_(std::move(robot_.state_space), config.filter),
      guard_(config.guard, static_cast<int>(config.sensors.size()), first_parameters_),
      contradictions_(config.sensors.size()),
      clocks_(config.stream, static_cast<int>(config.sensors.size()) +
                                 (config.motion.control == ControlKind::kNone ? 0 : 1)),
      history_(config.stream.history),
      lag_(config.smoothing_lag),
      course_(config.initial.course_distance) {
  gates_.resize(config.sensors.size());
  for (std::size_t i = 0; i < config.sensors.size(); ++i) {
    set_gate(static_cast<int>(i), config.sensors[i].gate);
  }
  state_.watches.resize(config.sensors.size());
  for (std::size_t i = 0; i < config.sensors.size(); ++i) {
    input_.sensor = static_cast<int>(i);
    const int targets =
        robot_.sensors[i].has_targets ? static_cast<int>(robot_.target_of_id.size()) : 1;
    const int dim = filter_.model().observation(input_).observation_dim();
    influence_limits_.push_back(
        std::max(ContradictionWatch::kFar * dim, chi_square_quantile(1.0 - kRareMessage, dim)));
    correlations_.emplace_back(dim, targets, config.sensors[i].error_time > 0.0);
    horizons_.emplace_back(dim, targets, config.sensors[i].error_time);
  }
  if (config.stream.time_budget > 0.0) {
    filter_.set_out_of_time([this] { return clock_() > deadline_; });
  }
}

void Estimator::set_gate(int sensor, double probability) {
  const auto count = static_cast<int>(config_.sensors.size());
  if (sensor < 0 || sensor >= count || !(probability >= 0.0 && probability <= 1.0)) {
    throw std::invalid_argument(
        fmt::format("a gate of {} for sensor {}; expected a probability and a sensor from 0 to {}",
                    probability, sensor, count - 1));
  }
  input_.sensor = sensor;
  const int dim = filter_.model().observation(input_).observation_dim();
  gates_[static_cast<std::size_t>(sensor)] = chi_square_quantile(probability, dim);
  config_.sensors[static_cast<std::size_t>(sensor)].gate = probability;
}

const EstimatorResult& Estimator::process(const Measurement& measurement,
                                          std::optional<Stamp> received) {
  return process(Message(measurement), received);
}

const EstimatorResult& Estimator::process(const Control& control, std::optional<Stamp> received) {
  return process(Message(control), received);
}

const EstimatorResult& Estimator::process(const Message& message, std::optional<Stamp> received) {
  const double begin = clock_();
  deadline_ = begin + 1e-3 * config_.stream.time_budget;
  result_.reason.clear();
  result_.events.clear();
  result_.sensor = -1;
  result_.innovation.resize(0);
  result_.elbo_increment = result_.nis = result_.gate = 0.0;
  result_.iterations = 0;
  result_.learned = false;
  handle(message, received);
  state_belief();
  result_.seconds = clock_() - begin;
  return result_;
}

void Estimator::handle(const Message& message, std::optional<Stamp> received) {
  if (!check(message)) return;
  const int input = input_of(result_.sensor);
  const InputClocks::Verdict verdict =
      clocks_.judge(input, stamp_of(message),
                    state_.initialised ? std::optional<Stamp>(state_.now) : std::nullopt, received);
  if (verdict.offset_changed && clocks_.offset(input) != 0.0) {
    add_event(EventKind::kClockOffset, result_.sensor, clocks_.offset(input));
  }
  if (verdict.ahead > 0.0) {
    count(
        Outcome::kAheadOfTime,
        fmt::format("stamped {:.3f} s ahead of the other inputs and of the clock; allowed are {} s",
                    verdict.ahead, config_.stream.ahead_tolerance));
  } else if (verdict.stamp == stamp_of(message)) {
    handle_in_time(message, verdict);
  } else {
    corrected_ = message;
    std::visit([&](auto& each) { each.stamp = verdict.stamp; }, corrected_);
    handle_in_time(corrected_, verdict);
  }
}

void Estimator::handle_in_time(const Message& message, const InputClocks::Verdict& verdict) {
  const Stamp stamp = stamp_of(message);
  const double late = state_.initialised ? seconds_between(stamp, state_.now) : 0.0;
  if (verdict.set_back) {
    reset(config_.stream.keep_parameters_on_jump);
    add_event(EventKind::kClockSetBack, -1, late);
  } else if (late > config_.stream.clock_jump) {
    count(Outcome::kTooOld, fmt::format("{:.3f} s late; no other input says that the clock was set "
                                        "back",
                                        late));
    return;
  }
  if (!state_.initialised && !start_with(message)) {
    count(Outcome::kNotInitialised, "there is no first belief yet: see initial.rule");
    return;
  }
  if (history_.contains(message)) {
    count(Outcome::kDuplicate, "the same message came before");
    return;
  }
  if (stamp < state_.now) {
    if (may_rerun(message, late)) rerun_with(message);
    return;
  }
  const std::size_t place = history_.insert(history_.first_after(stamp), message);
  keep_state_before(place);
  apply(message);
}

bool Estimator::may_rerun(const Message& message, double late) {
  if (config_.stream.late == LatePolicy::kDrop) {
    count(Outcome::kOutOfOrder, fmt::format("{:.6f} s older than one that is used already", late));
    return false;
  }
  if (const auto* measurement = std::get_if<Measurement>(&message)) {
    const double limit = sensor_config(sensor_index(measurement->sensor)).delay_limit;
    if (late > limit) {
      count(Outcome::kTooOld,
            fmt::format("{:.3f} s late; the sensor's limit is {} s", late, limit));
      return false;
    }
  }
  const std::size_t place = history_.first_after(stamp_of(message));
  if (place == 0 || place == history_.size()) {
    count(Outcome::kTooOld,
          fmt::format("{:.3f} s late; the history does not go back that far", late));
    return false;
  }
  return true;
}

// Back to the state before the first later message, then this one and those once more.
void Estimator::rerun_with(const Message& message) {
  std::size_t place = history_.first_after(stamp_of(message));
  Archive before = Archive::memory_reader(history_.entry(place).before);
  archive_state(before);
  lag_.forget_after(filter_.last_result().step);
  place = history_.insert(place, message);
  keep_state_before(place);
  apply(message);

  const EstimatorResult own = result_;
  rerunning_ = true;
  const std::size_t size = history_.size();
  for (std::size_t i = place + 1; i < size; ++i) {
    keep_state_before(i);
    apply(history_.entry(i).message);
  }
  rerunning_ = false;
  const double elbo = result_.elbo;
  result_ = own;
  result_.elbo = elbo;
  add_event(EventKind::kRerun, result_.sensor, static_cast<double>(size - place - 1));
}

void Estimator::keep_state_before(std::size_t place) {
  if (config_.stream.late != LatePolicy::kRerun) return;
  Archive::Bytes& bytes = history_.entry(place).before;
  bytes.clear();
  Archive archive = Archive::writer(bytes);
  archive_state(archive);
}

void Estimator::apply(const Message& message) {
  std::visit([this](const auto& m) { apply(m); }, message);
}

void Estimator::apply(const Control& control) {
  result_.sensor = -1;
  // Odometry and IMUs say what happened up to their stamp, a command what is to happen from it on.
  const bool before =
      config_.motion.control != ControlKind::kCommand && !is_thrust(config_.motion.control);
  const auto take = [&] {
    known_until_ = state_.has_control ? state_.control_stamp : -kFarthestStamp;
    state_.control = control.u;
    state_.control_stamp = control.stamp;
    state_.has_control = true;
  };
  const bool confirmed = is_confirmed(control);
  if (before && confirmed) take();
  if (!advance_to(control.stamp)) return;
  const StepResult& step = filter_.skip(input_);
  if (!finish_step(control.stamp, step)) return;
  if (confirmed) {
    if (!before) take();
    state_.volatility.see(driving_part(control));
    count(Outcome::kPredicted);
  } else {
    count(Outcome::kGated,
          "a control that jumps from the one before; it is used if the next one confirms it");
  }
  if (confirmed) check_heading(control);
  watch_sensors(control.stamp);
}

void Estimator::apply(const Measurement& measurement) {
  const int sensor = sensor_index(measurement.sensor);
  result_.sensor = sensor;
  if (!advance_to(measurement.stamp)) return;
  set_observation(measurement, sensor);
  set_weight(measurement, sensor);
  limit_influence(measurement, sensor);
  const bool repeated = is_repeated(measurement, sensor);
  if (repeated) input_.gate = std::min(input_.gate, static_cast<double>(y_.size()));
  state_.started = std::min(state_.started, measurement.stamp);
  settle(measurement.stamp);
  const StepResult& step = filter_.step(y_, input_);
  if (!finish_step(measurement.stamp, step)) return;

  result_.innovation = step.innovation;
  result_.nis = step.nis;
  result_.gate = gates_[static_cast<std::size_t>(sensor)];
  if (repeated && step.gated) {
    count(Outcome::kGated, "the same reading as before, where another one was predicted");
    watch_sensors(measurement.stamp);
    return;
  }
  Watch& watch = watches(sensor);
  const double since_last = seconds_between(watch.last, measurement.stamp);
  if (watch.silent) add_event(EventKind::kSensorBack, sensor, since_last);
  watch.last = measurement.stamp;
  watch.silent = false;
  const bool gated = step.gated;
  const bool jumps = step.nis > jump_limit_;
  watch_agreement(measurement.stamp, sensor, step);
  if (gated && jumps) {
    count(Outcome::kGated,
          fmt::format("normalised innovation squared {:.1f}: it contradicts what others say, or "
                      "what it said before",
                      result_.nis));
  } else if (gated) {
    ++watch.gated_in_row;
    count(Outcome::kGated,
          fmt::format("normalised innovation squared {:.1f}; the gate is at {:.1f}", result_.nis,
                      result_.gate));
  } else {
    watch.gated_in_row = 0;
    watch.last_used = measurement.y;
    count(Outcome::kUsed);
    watch_errors(measurement, sensor, step);
    watch_learning(sensor, since_last, step);
  }
  check_heading(measurement);
  watch_sensors(measurement.stamp);
}

// Leaves the last step to the caller, with its length in the input; false if one before it failed.
bool Estimator::advance_to(Stamp stamp) {
  const double silence = seconds_between(state_.now, stamp);
  const double seconds = std::min(silence, config_.stream.longest_gap);
  const int steps = static_cast<int>(
      std::clamp(std::ceil(seconds / config_.stream.longest_step), 1.0, kMostSteps));
  if (steps > 1) add_event(EventKind::kGapCrossed, -1, silence);
  const Stamp begin = state_.now;
  for (int k = 1; k < steps; ++k) {
    const Stamp on_the_way =
        begin + static_cast<Stamp>(static_cast<double>(stamp - begin) * k / steps);
    set_time(on_the_way, seconds / steps);
    if (!finish_step(on_the_way, filter_.skip(input_))) return false;
  }
  if (silence > config_.stream.longest_gap) add_spread_of_long_gap(silence);
  set_time(stamp, seconds / steps);
  return true;
}

void Estimator::set_time(Stamp stamp, double seconds) {
  input_.dt = seconds;
  // Time that neither the last control nor the one before it speaks of is nobody's.
  const double timeout = config_.motion.control_timeout;
  const bool known = state_.has_control &&
                     (seconds_between(stamp, state_.control_stamp) <= timeout ||
                      seconds_between(known_until_, stamp) <= timeout) &&
                     seconds_between(state_.control_stamp, stamp) <= timeout;
  if (known) {
    input_.control = state_.control;
  } else {
    input_.control.resize(0);
    if (state_.has_control) doubt_velocity(stamp);
  }
  input_.last_control = state_.last_control;
  input_.last_reference = state_.reference;
  input_.reference = robot_.motion->next_reference(input_, filter_.belief().mean);
  set_noise_gain(seconds);
}

// From where no control is known any more, the robot may have stopped, or gone on twice as fast.
// Positions become uncertain from that, as long as no sensor says more.
void Estimator::doubt_velocity(Stamp stamp) {
  if (config_.motion.kind != MotionKind::kPlanar) return;
  const bool is_before = stamp <= state_.control_stamp;
  const Stamp known_until = is_before ? known_until_ : state_.control_stamp;
  if (seconds_between(known_until, state_.now) > config_.motion.control_timeout) return;
  Eigen::Vector2d speeds = filter_.belief().mean.segment<2>(kPlanarVelocity).cwiseAbs();
  if (is_before) speeds = speeds.cwiseMax(state_.control.cwiseAbs());
  if (state_.spread.size() == 0) state_.spread.setZero(robot_.motion->state_dim());
  auto spread = state_.spread.segment<2>(kPlanarVelocity);
  spread = (spread.array().square() + (kUniformDeviation * speeds).array().square()).sqrt();
}

bool Estimator::finish_step(Stamp stamp, const StepResult& step) {
  if (!step.ok()) {
    handle_failure(step);
    return false;
  }
  advance_held_out(stamp);
  state_.now = stamp;
  state_.reference = input_.reference;
  state_.last_control = input_.control;
  state_.failures = 0;
  state_.widen = false;
  state_.spread.resize(0);
  lag_.push(stamp, step.step, filter_.record());
  result_.elbo_increment = step.elbo_increment;
  result_.elbo = state_.elbo_before + step.elbo;
  result_.iterations = step.iterations;
  result_.learned = step.learned;
  if (step.cut_short) add_event(EventKind::kCutShort, result_.sensor);
  return true;
}

void Estimator::handle_failure(const StepResult& step) {
  count(Outcome::kNumericalFailure, step.reason);
  if (++state_.failures < kMostFailures) return;
  Gaussian wide = prior();
  for (Eigen::Index i = 0; i < wide.mean.size(); ++i) {
    const double mean = filter_.belief().mean[i];
    if (std::abs(mean) <= kFarthestPlace) wide.mean[i] = mean;
  }
  start(state_.now, wide, state_.reference);
  state_.started = kFarthestStamp;
  add_event(EventKind::kRestarted);
}

// A silence counts as no longer than stream.longest_gap. In the rest of it the robot may have gone
// on as far in each second.
void Estimator::add_spread_of_long_gap(double silence) {
  if (config_.motion.kind == MotionKind::kJoints) return;
  Eigen::VectorXd spread = Eigen::VectorXd::Zero(robot_.motion->state_dim());
  spread.head(position_dim()) = (silence / config_.stream.longest_gap - 1.0) *
                                filter_.belief().factor.standard_deviations().head(position_dim());
  add_spread(spread);
}

void Estimator::watch_sensors(Stamp stamp) {
  for (int i = 0; i < static_cast<int>(state_.watches.size()); ++i) {
    Watch& watch = watches(i);
    const double silence = seconds_between(watch.last, stamp);
    if (watch.silent || silence <= sensor_config(i).timeout) continue;
    watch.silent = true;
    add_event(EventKind::kSensorSilent, i, silence);
  }
}

void Estimator::watch_learning(int sensor, double seconds, const StepResult& step) {
  if (!state_.learning) return;
  const auto verdict = guard_.watch({.sensor = sensor,
                                     .log_likelihood = step.elbo_increment,
                                     .nis = step.nis,
                                     .dim = static_cast<int>(step.innovation.size()),
                                     .seconds = seconds},
                                    filter_.parameters());
  if (verdict.collapsed) {
    filter_.set_parameters(guard_.last_good());
    add_event(EventKind::kParametersRestored, sensor, verdict.value);
  } else if (verdict.changed) {
    state_.widen = true;
    filter_.learner().forget(kRetainedOnChange);
    add_event(EventKind::kAbruptChange, sensor, verdict.value);
  }
}

void Estimator::add_event(EventKind kind, int sensor, double value, int other) {
  if (rerunning_) return;
  result_.events.push_back({kind, sensor, value, other});
  ++counters_.events[static_cast<std::size_t>(kind)];
}

void Estimator::count(Outcome outcome, std::string reason) {
  if (rerunning_) return;
  result_.outcome = outcome;
  result_.reason = std::move(reason);
  ++counters_.outcomes[static_cast<std::size_t>(outcome)];
}

int Estimator::sensor_index(const std::string& name) const {
  for (std::size_t i = 0; i < config_.sensors.size(); ++i) {
    if (config_.sensors[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace ovf
