// Errors that last: a message whose error is like that of the last one says little that is new. It
// counts for less, and the sensor's noise is learned from predictions that did not see the last
// messages.
#include <algorithm>

#include "ovf/estimator/estimator.hpp"
#include "ovf/model/sensor_suite.hpp"

namespace ovf {

// Without a control the belief follows the sensor that it trusts most, whose innovations then look
// independent: what is found of one sensor holds for all of its kind.
int Estimator::judging_sensor(int sensor) const {
  if (config_.motion.control != ControlKind::kNone) return sensor;
  int judging = sensor;
  for (int i = 0; i < static_cast<int>(correlations_.size()); ++i) {
    const ErrorCorrelation& other = error_correlation(i);
    const bool alike = sensor_config(i).kind == sensor_config(sensor).kind;
    if (alike && other.found() &&
        other.assumed_correlation() > error_correlation(judging).assumed_correlation()) {
      judging = i;
    }
  }
  return judging;
}

void Estimator::set_weight(const Measurement& measurement, int sensor) {
  const int judging = judging_sensor(sensor);
  input_.errors_last = error_correlation(judging).errors_last();
  input_.weight = error_correlation(sensor).weight(input_.target, measurement.stamp,
                                                   error_correlation(judging).assumed_correlation(),
                                                   error_time(judging));
}

void Estimator::watch_errors(const Measurement& measurement, int sensor, const StepResult& step) {
  ErrorCorrelation& correlation = correlations_[static_cast<std::size_t>(sensor)];
  const bool lasted = input_.errors_last;
  const bool told = correlation.found();
  correlation.see(input_.target, measurement.stamp, step.innovation, step.nis);
  if (correlation.found() && !told) {
    add_event(EventKind::kErrorsLast, sensor, correlation.correlation());
  }
  if (!lasted || !held_out_.running()) return;
  const auto& suite = static_cast<const SensorSuite&>(filter_.model().observation(input_));
  suite.sensor(sensor).predictive_variances(held_out_.belief(), predicted_variances_);
  horizons_[static_cast<std::size_t>(sensor)].see(input_.target, measurement.stamp,
                                                  predicted_variances_);
  if (seconds_between(held_out_.since(), measurement.stamp) >= error_time(sensor) &&
      held_out_.first_of(sensor, input_.target)) {
    learn_from_held_out(sensor);
  }
}

// Before the time of the belief is set to that of the step.
void Estimator::advance_held_out(Stamp stamp) {
  double longest = 0.0;
  for (int i = 0; i < static_cast<int>(correlations_.size()); ++i) {
    if (error_correlation(i).errors_last()) longest = std::max(longest, error_time(i));
  }
  if (longest == 0.0 || !state_.learning) {
    held_out_.stop();
  } else if (!held_out_.running() || seconds_between(held_out_.since(), stamp) > 2.0 * longest) {
    held_out_.start(filter_.belief(), stamp);
    for (PredictionHorizon& horizon : horizons_) horizon.start(stamp);
  } else {
    held_out_.advance(filter_.model().transition(), input_);
  }
}

void Estimator::learn_from_held_out(int sensor) {
  const auto& suite = static_cast<const SensorSuite&>(filter_.model().observation(input_));
  const int count = suite.sensor(sensor).parameters().size();
  if (count == 0 || !filter_.learner().active()) return;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd information;
  suite.sensor(sensor).predictive_scores(y_, held_out_.belief(), gradient, information);
  const int all = filter_.model().parameters().size();
  const int first = filter_.model().transition_parameter_count() + suite.first_parameter(sensor);
  held_out_score_.gradient.setZero(all);
  held_out_score_.information.setZero(all, all);
  held_out_score_.gradient.segment(first, count) = gradient;
  held_out_score_.information.block(first, first, count, count) = information;
  filter_.learn(held_out_score_);
}

// Noise that is learned before place, heading and biases are known takes their errors for its own.
// state_.started is the time of the first measurement; until then it is later than any.
void Estimator::settle(Stamp stamp) {
  const bool settled = seconds_between(state_.started, stamp) >= config_.initial.settling_time;
  if (state_.learning && settled) {
    filter_.learner().resume();
  } else {
    filter_.learner().freeze();
  }
}

}  // namespace ovf
