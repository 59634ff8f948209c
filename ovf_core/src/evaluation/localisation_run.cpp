#include "evaluation/localisation_run.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <stdexcept>

#include "evaluation/truth_reader.hpp"
#include "ovf/evaluation/estimator_run.hpp"
#include "ovf/evaluation/run_input.hpp"
#include "ovf/math/chi_square.hpp"
#include "ovf/recording/estimator_messages.hpp"
#include "recording/trajectory_text.hpp"

namespace ovf {
namespace {

constexpr double kParameterInterval = 5.0;

// Scale and bias of a range sensor as the belief, or the configuration, has them.
class RangeErrors {
 public:
  explicit RangeErrors(const EstimatorConfig& config) {
    for (const SensorConfig& sensor : config.sensors) {
      if (sensor.kind == SensorKind::kRange) sensors_[sensor.name] = &sensor;
    }
    for (std::size_t i = 0; i < config.landmark_ids.size(); ++i) {
      places_[config.landmark_ids[i]] = {config.landmark_x[i], config.landmark_y[i]};
    }
  }

  void add(const Estimator& estimator, const Measurement& measurement,
           const std::optional<TruePose>& truth) {
    const auto sensor = sensors_.find(measurement.sensor);
    const auto place = places_.find(measurement.target);
    if (sensor == sensors_.end() || place == places_.end() || !truth) return;
    const auto quantity = [&](const std::string& name, double constant) {
      const int i = estimator.layout().find(measurement.sensor + name);
      return i >= 0 ? estimator.belief().mean[i] : constant;
    };
    const double scale = quantity(".scale", sensor->second->scale.value);
    const double bias =
        quantity(fmt::format(".bias[{}]", measurement.target), sensor->second->bias.value);
    const double distance = (estimator.belief().mean.head<2>() - place->second).norm();
    const Eigen::Vector2d position(truth->x, truth->y);
    BeaconError& error = errors_[measurement.target];
    error.id = measurement.target;
    error.learned.push_back((scale - 1.0) * distance + bias);
    error.truth.push_back(measurement.y[0] - (position - place->second).norm());
  }

  std::vector<BeaconError> take() {
    std::vector<BeaconError> all;
    for (auto& [id, error] : errors_) all.push_back(std::move(error));
    return all;
  }

 private:
  std::map<std::string, const SensorConfig*> sensors_;
  std::map<int, Eigen::Vector2d> places_;
  std::map<int, BeaconError> errors_;
};

void add_parameters(const Estimator& estimator, double time, std::vector<ParameterTrack>& tracks) {
  const auto parameters = estimator.parameters();
  tracks.resize(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    tracks[i].name = parameters[i].name;
    tracks[i].time.push_back(time);
    tracks[i].value.push_back(parameters[i].value);
    tracks[i].deviation.push_back(parameters[i].deviation);
    tracks[i].status = parameters[i].status;
  }
}

}  // namespace

double LocalisationRun::mean_nees() const {
  const Nees& nees = evaluation.nees.front();
  return nees.anees * degrees_of_freedom(nees.kind);
}

LocalisationRun run_localisation(const RobotLog& log, const EstimatorConfig& config,
                                 Progress& progress) {
  LocalisationRun run;
  run.csv = kTrajectoryHeader;
  TruthReader truth(log.truth);
  RangeErrors ranges(config);
  for (const SensorConfig& sensor : config.sensors) run.sensors.push_back({.name = sensor.name});
  const Stamp first = stamp_of(log.messages.front());
  double next_parameters = 0.0;
  const auto after = [&](const Estimator& estimator, const Message& message,
                         const EstimatorResult& result) {
    const double time = seconds_between(first, stamp_of(message));
    run.relbo = result.elbo;
    progress.advance();
    if (!estimator.initialised()) return;
    if (moved_belief(result)) {
      const BodyBelief body = body_belief(estimator);
      run.tum += tum_line(estimator.stamp(), body);
      run.csv += trajectory_line(estimator.stamp(), body);
    }
    if (result.used()) {
      SensorScore& sensor = run.sensors[static_cast<std::size_t>(result.sensor)];
      ++sensor.used;
      const auto numbers = static_cast<double>(result.innovation.size());
      if (chi_square_probability(result.nis, numbers) <= 0.95) ++sensor.inside;
      ranges.add(estimator, std::get<Measurement>(message), truth.at(stamp_of(message)));
    }
    if (time >= next_parameters) {
      add_parameters(estimator, time, run.parameters);
      next_parameters = time + kParameterInterval;
    }
  };
  EstimatorRun estimated =
      run_estimator(config, log.messages, {.start = start_of(log, config), .after = after});
  run.beacons = ranges.take();
  run.counters = estimated.counters;
  run.evaluation = evaluate_run(std::move(estimated.record), truth_of(log));
  if (run.evaluation.match.pairs.empty()) {
    throw std::invalid_argument("no message of the log has a true pose near it in time");
  }
  return run;
}

}  // namespace ovf
