#include "ovf/evaluation/tune_noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "evaluation/noise_levels.hpp"
#include "ovf/estimator/config_of_method.hpp"
#include "ovf/math/chi_square.hpp"

namespace ovf {
namespace {

constexpr double kOutlierQuantile = 0.999;
constexpr double kMaxFactor = 1000.0;
// Logarithms of the factors: of 2 and of its roots.
constexpr std::array kSteps = {std::numbers::ln2, std::numbers::ln2 / 2.0, std::numbers::ln2 / 4.0,
                               std::numbers::ln2 / 8.0};
// In nats for the whole recording: a smaller gain says nothing about the noise.
constexpr double kMinGain = 0.5;
constexpr double kFailed = -std::numeric_limits<double>::infinity();

// By their stamps, apart from where the clock was set back: no message is late then.
void sort_by_stamp(std::vector<Message>& messages, double clock_jump) {
  const auto sort = [](auto begin, auto end) {
    std::stable_sort(begin, end,
                     [](const Message& a, const Message& b) { return stamp_of(a) < stamp_of(b); });
  };
  auto begin = messages.begin();
  Stamp newest = std::numeric_limits<Stamp>::min();
  for (auto message = begin; message != messages.end(); ++message) {
    const Stamp stamp = stamp_of(*message);
    if (message != begin && seconds_between(stamp, newest) > clock_jump) {
      sort(begin, message);
      begin = message;
      newest = stamp;
    }
    newest = std::max(newest, stamp);
  }
  sort(begin, messages.end());
}

std::set<std::string> sensors_of(const std::vector<Message>& messages) {
  std::set<std::string> names;
  for (const Message& message : messages) {
    const auto* measurement = std::get_if<Measurement>(&message);
    if (measurement != nullptr) names.insert(measurement->sensor);
  }
  return names;
}

struct Score {
  double log_likelihood = 0.0;
  long measurements = 0;
};

Score score(const EstimatorConfig& config, const std::vector<Message>& messages,
            const std::function<void(Estimator&)>& start) {
  Estimator estimator(config);
  if (start) start(estimator);
  Score score;
  for (const Message& message : messages) {
    const EstimatorResult& result = estimator.process(message);
    if (result.outcome == Outcome::kNumericalFailure) return {kFailed, score.measurements};
    if (!result.used()) continue;
    ++score.measurements;
    score.log_likelihood +=
        robust_log_density(estimator.filter().last_result().predictive_log_density, result.nis,
                           static_cast<int>(result.innovation.size()));
  }
  return score;
}

// Gates would make a reward of measurements that are not used.
EstimatorConfig without_gates(EstimatorConfig config) {
  config = config_of_method("ekf", std::move(config));
  for (SensorConfig& sensor : config.sensors) sensor.gate = 1.0;
  config.stream.late = LatePolicy::kDrop;
  config.stream.time_budget = 0.0;
  config.smoothing_lag = 0;
  return config;
}

/// Coordinate by coordinate, as far as it gets better.
class CoordinateSearch {
 public:
  /// Of the logarithms; larger is better.
  using Objective = std::function<double(const std::vector<double>& x)>;

  CoordinateSearch(Objective objective, std::vector<double> start)
      : objective_(std::move(objective)),
        start_(std::move(start)),
        x_(start_),
        directions_(x_.size(), 1.0),
        best_(objective_(x_)) {}

  const std::vector<double>& x() const { return x_; }
  double best() const { return best_; }

  /// Whether any coordinate moved.
  bool sweep(double step) {
    bool moved = false;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (!advance(i, step)) {
        directions_[i] = -directions_[i];
        if (!advance(i, step)) continue;
      }
      moved = true;
      while (advance(i, step)) {
      }
    }
    return moved;
  }

 private:
  bool advance(std::size_t i, double step) {
    std::vector<double> next = x_;
    next[i] += directions_[i] * step;
    if (std::abs(next[i] - start_[i]) > std::log(kMaxFactor)) return false;
    const double value = objective_(next);
    if (!(value > best_ + kMinGain)) return false;
    x_ = std::move(next);
    best_ = value;
    return true;
  }

  Objective objective_;
  std::vector<double> start_;
  std::vector<double> x_;
  std::vector<double> directions_;  // of the last success
  double best_;
};

}  // namespace

double robust_log_density(double log_density, double nis, int dim) {
  const double limit = chi_square_quantile(kOutlierQuantile, dim);
  if (!(nis > limit)) return log_density;
  return log_density + 0.5 * (nis - limit * (1.0 + std::log(nis / limit)));
}

NoiseTuning tune_noise(const EstimatorConfig& config, std::vector<Message> messages,
                       const std::function<void(Estimator&)>& start,
                       const NoiseTuningOptions& options) {
  sort_by_stamp(messages, config.stream.clock_jump);
  EstimatorConfig tuned = config;
  expand_noise(tuned);
  const std::vector<NoiseLevel> levels = noise_levels(tuned, sensors_of(messages));
  NoiseTuning result;
  std::vector<double> logarithms;
  for (const NoiseLevel& level : levels) {
    result.noise.push_back({.name = level.name, .start = *level.value});
    logarithms.push_back(std::log(*level.value));
  }
  const auto set = [&](const std::vector<double>& x) {
    for (std::size_t i = 0; i < x.size(); ++i) *levels[i].value = std::exp(x[i]);
  };
  double best = kFailed;
  const auto objective = [&](const std::vector<double>& x) {
    if (result.passes >= options.max_passes) return kFailed;
    set(x);
    const Score found = score(without_gates(tuned), messages, start);
    if (found.measurements == 0 && found.log_likelihood != kFailed) {
      throw std::invalid_argument(
          "tuning the noise: no measurement could be used; expected messages of the configured "
          "sensors and a first belief (initial.rule)");
    }
    ++result.passes;
    best = std::max(best, found.log_likelihood);
    if (options.progress) options.progress(result.passes, best);
    return found.log_likelihood;
  };

  CoordinateSearch search(objective, logarithms);
  result.start_log_likelihood = search.best();
  for (const double step : kSteps) {
    while (search.sweep(step)) {
    }
  }
  set(search.x());
  for (std::size_t i = 0; i < levels.size(); ++i) result.noise[i].value = *levels[i].value;
  result.log_likelihood = search.best();
  result.converged = result.passes < options.max_passes;
  result.config = config_of_method("ekf", tuned);
  return result;
}

}  // namespace ovf
