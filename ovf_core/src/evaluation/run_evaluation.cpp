#include "ovf/evaluation/run_evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ovf {
namespace {

constexpr double kLeastGap = 0.5;
constexpr double kStepsOfAGap = 3.0;

// Some of the usual steps between two poses.
double usual_gap(const std::vector<PoseSample>& poses) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < poses.size(); ++i) {
    steps.push_back(seconds_between(poses[i - 1].stamp, poses[i].stamp));
  }
  if (steps.empty()) return kLeastGap;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return std::max(kLeastGap, kStepsOfAGap * *middle);
}

}  // namespace

RunEvaluation evaluate_run(RunRecord record, const GroundTruth& truth,
                           const RunEvaluationOptions& options) {
  RunEvaluation out;
  out.record = std::move(record);
  out.has_truth = !truth.poses.empty();
  out.longest_gap = options.longest_gap > 0.0 ? options.longest_gap : usual_gap(truth.poses);
  const PoseTrackOptions track_options{
      .longest_gap = out.longest_gap,
      .planar = out.record.planar,
      .has_orientation = truth.has_orientation && out.record.has_orientation};
  const PoseTrack track(truth.poses, track_options);
  const TrajectoryMatch raw = match_trajectories(out.record.poses, track, options.time_offset);
  out.error = trajectory_error(raw, options.alignment);
  out.match = aligned(raw, out.error.alignment);
  out.relative = relative_pose_error(out.match);
  if (out.has_truth) {
    for (const NeesKind kind : nees_kinds(out.match)) out.nees.push_back(nees(out.match, kind));
  }
  out.sensors = innovation_consistency(out.record.updates);
  out.predictive = predictive_score(out.record.updates);
  if (out.has_truth) {
    std::vector<RolloutSample> rollouts = out.record.rollouts;
    for (RolloutSample& rollout : rollouts) rollout = aligned(rollout, out.error.alignment);
    out.rollouts = rollout_error(rollouts, track, {.time_offset = options.time_offset});
  } else {
    const PoseTrack later(out.record.poses, {.longest_gap = usual_gap(out.record.poses),
                                             .planar = out.record.planar});
    out.rollouts = rollout_error(out.record.rollouts, later);
  }
  return out;
}

std::map<std::string, double> RunEvaluation::figures() const {
  std::map<std::string, double> all;
  const auto add = [&](const std::string& name, double value) {
    if (std::isfinite(value)) all[name] = value;
  };
  add("position_rmse", error.position.rmse);
  add("position_p95", error.position.p95);
  add("position_max", error.position.max);
  add("yaw_rmse", error.yaw.rmse);
  if (!record.planar) {
    add("position_xy_rmse", error.horizontal.rmse);
    add("attitude_rmse", error.rotation.rmse);
    add("attitude_max", error.rotation.max);
  }
  for (const Nees& each : nees) {
    const std::string name = each.kind == NeesKind::kAttitude
                                 ? "anees_attitude"
                                 : fmt::format("anees_{}", degrees_of_freedom(each.kind));
    add(name, each.anees);
    add(name + "_coverage_50", each.coverage50);
    add(name + "_coverage_90", each.coverage90);
    add(name + "_coverage_95", each.coverage95);
  }
  for (const SegmentError& segment : relative.segments) {
    add(fmt::format("rpe_{:g}m_percent", segment.length), segment.translation_percent);
  }
  for (const SensorConsistency& sensor : sensors) {
    add(sensor.sensor + ".nis_ratio", sensor.nis.ratio);
    add(sensor.sensor + ".outside_95", sensor.nis.outside95);
    add(sensor.sensor + ".gated_share", sensor.gated_share);
  }
  add("elbo_per_measurement", predictive.overall.mean);
  for (const ElboFigures& sensor : predictive.sensors) {
    add(sensor.sensor + ".elbo_per_measurement", sensor.mean);
  }
  for (const HorizonError& horizon : rollouts) {
    add(fmt::format("rollout_{:g}s_rmse", horizon.horizon), horizon.position.rmse);
    add(fmt::format("rollout_{:g}s_coverage_90", horizon.horizon), horizon.coverage90);
  }
  if (!record.parameters.empty()) {
    const ParameterSample& last = record.parameters.back();
    for (std::size_t i = 0; i < last.names.size(); ++i) {
      add("parameter." + last.names[i], last.values[i]);
    }
  }
  return all;
}

}  // namespace ovf
