#include "ovf/evaluation/rollout_error.hpp"

#include <algorithm>
#include <optional>

#include "evaluation/ellipse_coverage.hpp"
#include "evaluation/pose_parts.hpp"

namespace ovf {
namespace {

constexpr double kRounding = 1e-6;  // seconds

struct Start {
  const RolloutSample* rollout;
  Stamp stamp;
  Eigen::Vector3d position;  // of the truth
  Eigen::Vector3d velocity;
};

std::optional<Eigen::Vector3d> true_position(const PoseTrack& truth, Stamp from, double seconds) {
  if (!usable_stamp(from) || !usable_seconds(seconds)) return std::nullopt;
  const PoseTrack::Place place = truth.at(later(from, seconds));
  if (place.found != PoseTrack::Found::kHere) return std::nullopt;
  return place.position;
}

bool well_formed(const RolloutSample& rollout) {
  const auto& times = rollout.times;
  if (times.empty() || times.size() != rollout.poses.size()) return false;
  if (!usable_stamp(rollout.stamp)) return false;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!usable_seconds(times[i]) || (i > 0 && !(times[i] > times[i - 1]))) return false;
    if (!usable(rollout.poses[i], false)) return false;
  }
  return true;
}

std::vector<Start> starts_of(const std::vector<RolloutSample>& rollouts, const PoseTrack& truth,
                             const RolloutErrorOptions& options) {
  std::vector<Start> starts;
  const double window = options.velocity_window;
  if (!usable_seconds(options.time_offset) || !(window > 0.0)) return starts;
  for (const RolloutSample& rollout : rollouts) {
    if (!well_formed(rollout)) continue;
    const Stamp stamp = later(rollout.stamp, options.time_offset);
    const auto now = true_position(truth, stamp, 0.0);
    const auto before = true_position(truth, stamp, -window);
    if (now && before) starts.push_back({&rollout, stamp, *now, (*now - *before) / window});
  }
  return starts;
}

// Linear between the recorded times, the covariance too; none outside of them.
std::optional<PoseSample> pose_at(const RolloutSample& rollout, double horizon) {
  const auto& times = rollout.times;
  const auto next = std::lower_bound(times.begin(), times.end(), horizon - kRounding);
  if (next == times.end()) return std::nullopt;
  const auto i = static_cast<std::size_t>(next - times.begin());
  if (std::abs(times[i] - horizon) <= kRounding) return rollout.poses[i];
  if (i == 0) return std::nullopt;
  const PoseSample& a = rollout.poses[i - 1];
  const PoseSample& b = rollout.poses[i];
  const double share = (horizon - times[i - 1]) / (times[i] - times[i - 1]);
  PoseSample out = a;
  out.position += share * (b.position - a.position);
  out.covariance += share * (b.covariance - a.covariance);
  out.has_covariance = a.has_covariance && b.has_covariance;
  return out;
}

double squared_error(const Eigen::Vector3d& error, const PoseSample& pose, bool planar) {
  const auto& C = pose.covariance;
  if (!pose.has_covariance) return std::numeric_limits<double>::quiet_NaN();
  return planar ? squared_in_units_of(error.head<2>(), Eigen::Matrix2d(C.topLeftCorner<2, 2>()))
                : squared_in_units_of(error, Eigen::Matrix3d(C.topLeftCorner<3, 3>()));
}

HorizonError error_at(double horizon, const std::vector<Start>& starts, const PoseTrack& truth) {
  const bool planar = truth.options().planar;
  HorizonError out{.horizon = horizon};
  EllipseCoverage coverage(planar ? 2 : 3);
  std::vector<double> position;
  std::vector<double> standing;
  std::vector<double> constant_velocity;
  for (const Start& start : starts) {
    const auto pose = pose_at(*start.rollout, horizon);
    const auto there = true_position(truth, start.stamp, horizon);
    if (!pose || !there) continue;
    Eigen::Vector3d error = *there - pose->position;
    if (planar) error.z() = 0.0;
    position.push_back(error.norm());
    standing.push_back((*there - start.position).norm());
    constant_velocity.push_back((*there - start.position - horizon * start.velocity).norm());
    const double squared = squared_error(error, *pose, planar);
    if (!std::isnan(squared)) coverage.add(squared);
  }
  out.count = static_cast<long>(position.size());
  out.position = summarise_errors(std::move(position));
  out.standing = summarise_errors(std::move(standing));
  out.constant_velocity = summarise_errors(std::move(constant_velocity));
  out.with_covariance = coverage.count();
  out.coverage50 = coverage.within50();
  out.coverage90 = coverage.within90();
  out.coverage95 = coverage.within95();
  return out;
}

std::vector<double> recorded_horizons(const std::vector<Start>& starts) {
  const auto most =
      std::max_element(starts.begin(), starts.end(), [](const Start& a, const Start& b) {
        return a.rollout->times.size() < b.rollout->times.size();
      });
  return most == starts.end() ? std::vector<double>{} : most->rollout->times;
}

}  // namespace

std::vector<HorizonError> rollout_error(const std::vector<RolloutSample>& rollouts,
                                        const PoseTrack& truth,
                                        const RolloutErrorOptions& options) {
  const std::vector<Start> starts = starts_of(rollouts, truth, options);
  std::vector<HorizonError> out;
  for (const double horizon :
       options.horizons.empty() ? recorded_horizons(starts) : options.horizons) {
    HorizonError& error = out.emplace_back(error_at(horizon, starts, truth));
    error.left_out = static_cast<long>(rollouts.size()) - error.count;
  }
  return out;
}

}  // namespace ovf
