#include "ovf/estimator/findings.hpp"

#include <fmt/format.h>

#include <cmath>

#include "estimator/input_findings.hpp"

namespace ovf {
namespace {

// Prior standard deviations from its start value at which a constant is not believable.
constexpr double kMaxDeviations = 3.0;
// Shares of all measurements.
constexpr double kMaxGated = 0.3;
constexpr double kMaxFailures = 0.01;

void add_sensor(const Estimator& estimator, int i, std::vector<std::string>& out) {
  const SensorConfig& config = estimator.config().sensors[static_cast<std::size_t>(i)];
  const ErrorCorrelation& errors = estimator.error_correlation(i);
  if (errors.found()) {
    const MotionConfig& motion = estimator.config().motion;
    const bool may_be_odometry =
        motion.control == ControlKind::kOdometry && motion.error_time == 0.0;
    out.push_back(fmt::format(
        "{0}: the errors of neighbouring messages are correlated ({1:.2f}), so all messages within "
        "{2:.2g} s ({0}.error_time: at most {6:g}) count for at most {3:.1f} independent ones, and "
        "noise is not "
        "learned below 1/{4} of {0}.noise; if the errors last longer, the stated uncertainty is "
        "too small{5}",
        config.name, errors.correlation(), estimator.error_time(i), 1.0 / errors.correlation(),
        config.noise_factor,
        may_be_odometry ? "; or the odometry's errors last: set motion.error_time" : "",
        config.error_time));
  }
  if (config.scale.deviation > 0.0 && estimator.layout().find(config.name + ".scale") < 0) {
    out.push_back(fmt::format(
        "{0}: {0}.scale is held at {1}: without odometry, an IMU or a velocity sensor it cannot be "
        "told from distance",
        config.name, config.scale.value));
  }
}

void add_constants(const Estimator& estimator, std::vector<std::string>& out) {
  for (int i = 0; i < estimator.layout().dim(); ++i) {
    const StateEntry& entry = estimator.layout().entry(i);
    const double value = estimator.belief().mean[i];
    const double deviations = std::abs(value - entry.start) / entry.deviation;
    if (!entry.parameter || !(deviations > kMaxDeviations)) continue;
    out.push_back(
        fmt::format("{} is {:.4g}, {:.1f} standard deviations from its start value {:g} ± {:g}: "
                    "the model does not fit, or the stated deviation is too small",
                    entry.name, value, deviations, entry.start, entry.deviation));
  }
}

void add_parameters(const Estimator& estimator, std::vector<std::string>& out) {
  for (const ParameterEstimate& parameter : estimator.parameters()) {
    if (parameter.status != ParameterStatus::kAtBound) continue;
    out.push_back(fmt::format("{} is {:.4g}, at its bound: the model does not fit the data",
                              parameter.name, parameter.value));
  }
}

void add_outcomes(const Counters& counters, std::vector<std::string>& out) {
  const long gated = counters.of(Outcome::kGated);
  const long failed = counters.of(Outcome::kNumericalFailure);
  const auto all = static_cast<double>(counters.of(Outcome::kUsed) + gated + failed);
  if (static_cast<double>(gated) > kMaxGated * all) {
    out.push_back(
        fmt::format("{} of {} measurements were outside their gates: the gates, or the "
                    "noise that they rest on, are too narrow",
                    gated, all));
  }
  if (static_cast<double>(failed) > kMaxFailures * all) {
    out.push_back(fmt::format("{} of {} measurements ended in a numerical failure", failed, all));
  }
}

void add_health(Health health, std::vector<std::string>& out) {
  switch (health) {
    case Health::kGood:
      break;
    case Health::kInconsistent:
      out.emplace_back(
          "more than a fifth of the last measurements were far from their predictions");
      break;
    case Health::kAmbiguous:
      out.emplace_back("another state explained the last measurements about as well");
      break;
    case Health::kOverconfident:
      out.emplace_back("predictions of measurements have been less accurate than they say");
      break;
    case Health::kPoorFit:
      out.emplace_back("the posterior is far from a Gaussian: the stated uncertainty may be wrong");
      break;
    case Health::kRestarted:
      out.emplace_back("the filter restarted a while ago, after repeated numerical failures");
      break;
  }
}

}  // namespace

std::vector<std::string> findings(const Estimator& estimator) {
  std::vector<std::string> out;
  if (!estimator.initialised()) return out;
  for (int i = 0; i < static_cast<int>(estimator.config().sensors.size()); ++i) {
    add_sensor(estimator, i, out);
  }
  add_input_findings(estimator, out);
  add_constants(estimator, out);
  add_parameters(estimator, out);
  add_outcomes(estimator.counters(), out);
  add_health(estimator.filter().last_result().health, out);
  return out;
}

}  // namespace ovf
