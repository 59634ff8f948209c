#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "estimator/simulated_multirotor.hpp"
#include "ovf/estimator/estimator.hpp"
#include "ovf/evaluation/rollout_error.hpp"

namespace ovf::test {

/// The commands of a flight as steps of a plan: those in force in the middle of each step.
inline std::vector<Eigen::VectorXd> commands_after(const SimulatedMultirotor& flight, Stamp from,
                                                   int steps, double step) {
  std::vector<const Control*> commands;
  for (const Message& message : flight.messages()) {
    if (const auto* control = std::get_if<Control>(&message)) commands.push_back(control);
  }
  std::vector<Eigen::VectorXd> plan;
  for (int k = 0; k < steps; ++k) {
    const Stamp when = from + at_seconds((k + 0.5) * step);
    const auto next = std::upper_bound(
        commands.begin(), commands.end(), when,
        [](Stamp stamp, const Control* control) { return stamp < control->stamp; });
    if (next != commands.begin()) plan.push_back((*std::prev(next))->u);
  }
  return plan;
}

/// Rollouts of 2 s, twice a second from `after` seconds on, while the estimator flies along.
/// Against the truth, with standing still and constant velocity (known truly) beside them.
inline HorizonError fly(const SimulatedMultirotor& flight, double seconds, Estimator& estimator,
                        ControlPlan plan, double after) {
  constexpr double kHorizon = 2.0;
  constexpr double kStep = 0.1;
  std::vector<RolloutSample> rollouts;
  double next = after;
  for (const Message& message : flight.messages()) {
    estimator.process(message);
    const Stamp now = stamp_of(message);
    if (seconds_between(0, now) < next) continue;
    next += 0.5;
    RolloutRequest request{.horizon = kHorizon, .step = kStep, .plan = plan};
    if (plan == ControlPlan::kGiven) request.controls = commands_after(flight, now, 20, kStep);
    const Rollout ahead = estimator.rollout(request);
    RolloutSample& sample =
        rollouts.emplace_back(RolloutSample{.stamp = now, .times = ahead.times});
    for (std::size_t k = 0; k < ahead.times.size(); ++k) {
      PoseSample& pose = sample.poses.emplace_back();
      pose.position = ahead.means.col(static_cast<Eigen::Index>(k)).head<3>();
      pose.covariance.setIdentity();
      pose.covariance.topLeftCorner<3, 3>() = ahead.covariances[k].topLeftCorner<3, 3>();
      pose.has_covariance = true;
    }
  }
  std::vector<PoseSample> truth;
  for (int k = 0; k <= static_cast<int>(100.0 * seconds); ++k) {
    const auto& pose = flight.truth(0.01 * k);
    PoseSample& sample = truth.emplace_back();
    sample.stamp = at_seconds(pose.seconds);
    sample.position = pose.position;
    sample.orientation = pose.attitude;
  }
  return rollout_error(rollouts, PoseTrack(truth), {.horizons = {kHorizon}, .velocity_window = 0.1})
      .front();
}

inline ParameterEstimate parameter_of(const Estimator& estimator, const std::string& name) {
  for (const ParameterEstimate& p : estimator.parameters()) {
    if (p.name == name) return p;
  }
  return {.name = "no parameter " + name};
}

}  // namespace ovf::test
