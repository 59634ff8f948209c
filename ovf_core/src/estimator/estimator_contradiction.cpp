// Sensors that contradict each other: nothing tells at once which one is right. So it is reported,
// the sensor that is far from the belief is held back until it has agreed with itself for a while,
// and the belief becomes wide enough for both sides.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ovf/estimator/estimator.hpp"

namespace ovf {
namespace {

// A sensor that agreed with the belief so long ago, in seconds, still stands for it.
constexpr double kStillAgrees = 3.0;
// Further away than this, in metres or radians, a new place is no matter of a wider belief.
constexpr double kMaxSpread = 1e5;
// Of what a sensor sees of the belief's covariance, this share is rounding.
constexpr double kRounding = 1e-9;

bool is_guarded(const GuardConfig& guard) { return guard.collapse > 0.0 || guard.change > 0.0; }

}  // namespace

// Sensors of place or heading. One of velocities is needed to know where the belief goes meanwhile.
bool Estimator::can_hold_back(int sensor) const {
  switch (sensor_config(sensor).kind) {
    case SensorKind::kPose:
    case SensorKind::kPosition:
    case SensorKind::kAltitude:
    case SensorKind::kYaw:
    case SensorKind::kRange:
    case SensorKind::kRangeBearing:
      return true;
    default:
      return false;
  }
}

void Estimator::limit_influence(Stamp stamp, int sensor) {
  // Heavy tails limit it themselves; without the guard, as in a plain Kalman filter, nothing does.
  const bool limited = is_guarded(config_.guard) && sensor_config(sensor).nu == 0.0;
  filter_.set_innovation_limit(limited ? influence_limits_[static_cast<std::size_t>(sensor)]
                                       : std::numeric_limits<double>::infinity());
  if (watches(sensor).agreement.holds(stamp)) input_.gate = 0.0;
}

// True: the message was held back.
bool Estimator::watch_agreement(Stamp stamp, int sensor, const StepResult& step) {
  ContradictionWatch& watch = watches(sensor).agreement;
  if (watch.holds(stamp)) {
    watch.see_held(stamp, step.innovation);
    return true;
  }
  const int target = sensor_info(sensor).has_targets ? input_.target : -1;
  const double gate = gates_[static_cast<std::size_t>(sensor)];
  if (!watch.see(stamp, target, step.innovation, step.nis, gate)) {
    return false;
  }
  const int other = sensor_that_agreed(stamp, sensor);
  const Eigen::VectorXd way = displacement(step.innovation);
  const double deviations =
      std::sqrt(step.nis / static_cast<double>(std::max<Eigen::Index>(1, step.innovation.size())));
  if (deviations * deviations <= ContradictionWatch::kFar) {
    // Only its gate is too narrow for that: the next message brings the belief nearer.
    watches(sensor).gated_in_row = sensor_config(sensor).gate_patience;
  } else if (target < 0 && is_guarded(config_.guard)) {
    // Landmarks are mistaken one by one: a reading of a wrong one says nothing of the belief.
    add_spread(way);
    if (can_hold_back(sensor) && place_is_known(stamp)) {
      watch.hold(stamp, step.innovation, deviations);
    }
  }
  add_event(EventKind::kSensorsContradict, sensor, deviations, other);
  if (!rerunning_) {
    Contradiction& told = contradictions_[static_cast<std::size_t>(sensor)];
    told = {told.count + 1, other, deviations, way.norm()};
  }
  return false;
}

// Whether a sensor of place or heading agreed with the belief of late. Otherwise it rests on the
// motion alone, and the sensor that is there again is rather right.
bool Estimator::place_is_known(Stamp stamp) {
  for (int i = 0; i < static_cast<int>(state_.watches.size()); ++i) {
    const ContradictionWatch& watch = watches(i).agreement;
    if (can_hold_back(i) && watch.has_agreed() &&
        seconds_between(watch.agreed(), stamp) <= kStillAgrees) {
      return true;
    }
  }
  return false;
}

// The one that did so last; -1: none of late, then it is the motion that it contradicts.
int Estimator::sensor_that_agreed(Stamp stamp, int except) {
  int best = -1;
  for (int i = 0; i < static_cast<int>(state_.watches.size()); ++i) {
    const ContradictionWatch& watch = watches(i).agreement;
    if (i == except || watch.holds(stamp) || !watch.has_agreed()) continue;
    if (seconds_between(watch.agreed(), stamp) > kStillAgrees) continue;
    if (best < 0 || watch.agreed() > watches(best).agreement.agreed()) best = i;
  }
  return best;
}

// How the motion's own states would have to change, as likely as they can, for the sensor to be
// right: P H^T (H P H^T)^-1 r.
Eigen::VectorXd Estimator::displacement(const Eigen::VectorXd& innovation) {
  const int own = robot_.motion->state_dim();
  AffineGaussian line;
  filter_.model().observation(input_).linearise(belief(), Linearisation::kExpected, line);
  const Eigen::MatrixXd slope = line.matrix.leftCols(own);
  const Eigen::MatrixXd covariance = belief().covariance().topLeftCorner(own, own);
  const Eigen::MatrixXd across = covariance * slope.transpose();
  Eigen::MatrixXd seen = slope * across;
  seen.diagonal().array() +=
      kRounding * seen.diagonal().maxCoeff() + std::numeric_limits<double>::min();
  Eigen::VectorXd way = across * seen.ldlt().solve(innovation);
  return way.allFinite() ? way : Eigen::VectorXd::Zero(own).eval();
}

void Estimator::add_spread(const Eigen::VectorXd& deviations) {
  if (state_.spread.size() == 0) state_.spread.setZero(deviations.size());
  for (Eigen::Index i = 0; i < deviations.size(); ++i) {
    const bool is_place = config_.motion.kind != MotionKind::kJoints && i < position_dim();
    const StateEntry& entry = robot_.layout.entry(static_cast<int>(i));
    // Of all else the first belief says how far off it can be.
    const double most = is_place ? kMaxSpread : entry.deviation;
    const double deviation = std::min(std::abs(deviations[i]), most);
    state_.spread[i] = std::hypot(state_.spread[i], deviation);
  }
}

}  // namespace ovf
