// Sensors that contradict each other: nothing tells at once which one is right. So it is reported,
// messages far from the belief are not used until the other side has more support, and the belief
// is stated as wide as both sides need (ContradictionWatch).
#include <algorithm>
#include <cmath>
#include <limits>

#include "estimator/factor_of.hpp"
#include "ovf/estimator/estimator.hpp"

namespace ovf {
namespace {

// A sensor that agreed with the belief so long ago, in seconds, still stands for it.
constexpr double kStillAgrees = 3.0;
// Further away than this, in metres or radians, a new place is no matter of a wider belief.
constexpr double kMaxSpread = 1e5;
// Of what a sensor sees of the belief's covariance, this share is rounding.
constexpr double kRounding = 1e-9;
// When a sensor diverges, the motion is in doubt for so long, in seconds.
constexpr double kMotionDoubt = 5.0;
// A heading that is further off, in radians, is not known at all.
constexpr double kMaxHeadingSpread = 1.5;
// Slower than this share of the speed by which the sensor goes away, nothing is said of a heading.
constexpr double kMinSpeedShare = 0.25;

}  // namespace

bool Estimator::sees_place(int sensor) const {
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

// Landmarks are mistaken one by one: a reading of a wrong one says nothing of the belief. And
// without the guard, as in a plain Kalman filter, nothing is held against any sensor.
bool Estimator::may_dispute(int sensor) const {
  return is_guarded() && sees_place(sensor) && !sensor_info(sensor).has_targets;
}

void Estimator::limit_influence(const Measurement& measurement, int sensor) {
  const ContradictionWatch& watch = watches(sensor).agreement;
  const double largest = influence_limits_[static_cast<std::size_t>(sensor)];
  // Heavy tails limit it themselves.
  const bool heavy_tails = sensor_config(sensor).nu != 0.0;
  filter_.set_innovation_limit(
      is_guarded() && !heavy_tails ? largest : std::numeric_limits<double>::infinity());
  // A motion that is only guessed may jump itself.
  const bool motion_is_measured = config_.motion.control == ControlKind::kOdometry ||
                                  config_.motion.control == ControlKind::kImu;
  jump_limit_ = may_dispute(sensor) && (motion_is_measured || watch.in_dispute())
                    ? watch.limit(measurement.stamp, static_cast<int>(y_.size()), largest)
                    : std::numeric_limits<double>::infinity();
  // What is let through brings the belief to where it is.
  if (watches(sensor).gated_in_row >= sensor_config(sensor).gate_patience) {
    filter_.set_innovation_limit(std::numeric_limits<double>::infinity());
    jump_limit_ = std::numeric_limits<double>::infinity();
  }
  if (!heavy_tails || watch.told()) input_.gate = std::min(input_.gate, jump_limit_);
}

void Estimator::watch_agreement(Stamp stamp, int sensor, const StepResult& step) {
  Watch& watch = watches(sensor);
  const int other = sensor_that_agreed(stamp, sensor);
  const auto finding = watch.agreement.see(
      {.stamp = stamp,
       .target = sensor_info(sensor).has_targets ? input_.target : -1,
       .innovation = step.innovation,
       .nis = step.nis,
       .gate = gates_[static_cast<std::size_t>(sensor)],
       .patience = sensor_config(sensor).gate < 1.0 ? sensor_config(sensor).gate_patience
                                                    : std::numeric_limits<int>::max(),
       .may_dispute = may_dispute(sensor),
       .independent =
           !input_.errors_last && is_guarded() && config_.motion.control == ControlKind::kOdometry,
       .others_agree = other >= 0 && sees_same(sensor, other)},
      jump_limit_);
  using Finding = ContradictionWatch::Finding;
  const bool far = step.nis > ContradictionWatch::kFar * static_cast<double>(y_.size());
  Eigen::VectorXd way;
  if (finding != Finding::kNothing || (watch.agreement.in_dispute() && far)) {
    way = displacement(step.innovation);
  }
  if (watch.agreement.in_dispute() && far) watch.other_side = side_of(sensor, way);
  if (finding == Finding::kNothing) return;

  if (finding == Finding::kTakeOtherSide) {
    state_.spread = side_of(sensor, way).cwiseAbs();
    watch.other_side = -state_.spread.cwiseProduct(way.cwiseSign());
    doubt_motion(stamp, way);
    watch.gated_in_row = sensor_config(sensor).gate_patience;
  } else if (finding == Finding::kDiverges) {
    add_spread(way);
    doubt_motion(stamp, way);
    doubt_heading(way);
    state_.widen = true;
    if (!watch.agreement.tell(stamp)) return;
  } else if (!far) {
    // Only its gate is too narrow for that: the next message brings the belief nearer.
    watch.gated_in_row = sensor_config(sensor).gate_patience;
  } else if (may_dispute(sensor) && watch.agreement.support() == 0.0) {
    doubt_heading(way);
  }
  const double deviations =
      std::sqrt(step.nis / static_cast<double>(std::max<Eigen::Index>(1, step.innovation.size())));
  add_event(EventKind::kSensorsContradict, sensor, deviations, other);
  if (!rerunning_) {
    Contradiction& told = contradictions_[static_cast<std::size_t>(sensor)];
    told = {told.count + 1, other, deviations, way.norm()};
  }
}

// Whether both measure the place, or both the heading alone: only then one stands for the other.
bool Estimator::sees_same(int sensor, int other) const {
  const auto sees_heading_alone = [&](int i) { return sensor_config(i).kind == SensorKind::kYaw; };
  return sees_place(sensor) && sees_place(other) &&
         sees_heading_alone(sensor) == sees_heading_alone(other);
}

// The one that agreed with the belief last; -1: none of late, then it is the motion that a sensor
// contradicts. One that measures the same comes first.
int Estimator::sensor_that_agreed(Stamp stamp, int except) {
  int best = -1;
  for (int i = 0; i < static_cast<int>(state_.watches.size()); ++i) {
    const ContradictionWatch& watch = watches(i).agreement;
    if (i == except || watch.in_dispute() || !watch.has_agreed()) continue;
    if (seconds_between(watch.agreed(), stamp) > kStillAgrees) continue;
    const bool same = sees_same(except, i);
    const bool best_is_same = best >= 0 && sees_same(except, best);
    const bool later = best < 0 || watch.agreed() > watches(best).agreement.agreed();
    if (same != best_is_same ? same : later) best = i;
  }
  return best;
}

// How the motion's own states would have to change, as likely as they can, for the sensor to be
// right: P H^T (H P H^T)^-1 r.
Eigen::VectorXd Estimator::displacement(const Eigen::VectorXd& innovation) {
  const int own = robot_.motion->state_dim();
  const Gaussian& belief = filter_.belief();
  AffineGaussian line;
  filter_.model().observation(input_).linearise(belief, Linearisation::kExpected, line);
  const Eigen::MatrixXd slope = line.matrix.leftCols(own);
  const Eigen::MatrixXd covariance = belief.covariance().topLeftCorner(own, own);
  const Eigen::MatrixXd across = covariance * slope.transpose();
  Eigen::MatrixXd seen = slope * across;
  seen.diagonal().array() +=
      kRounding * seen.diagonal().maxCoeff() + std::numeric_limits<double>::min();
  Eigen::VectorXd way = across * seen.ldlt().solve(innovation);
  return way.allFinite() ? way : Eigen::VectorXd::Zero(own).eval();
}

// Of that way, what the sensor measures: a jump of the place says nothing of the heading.
Eigen::VectorXd Estimator::side_of(int sensor, Eigen::VectorXd way) const {
  const SensorKind kind = sensor_config(sensor).kind;
  const bool sees_heading = kind == SensorKind::kPose || kind == SensorKind::kYaw;
  if (!sees_heading && config_.motion.kind != MotionKind::kJoints) {
    way.tail(way.size() - position_dim()).setZero();
  }
  return way.cwiseMin(kMaxSpread).cwiseMax(-kMaxSpread);
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

// The sensor goes away from where the motion says that the robot goes: within about a second, by
// `way`. So the robot may move as fast in any direction. And one that drives may drive in another
// direction than was thought.
void Estimator::doubt_motion(Stamp stamp, const Eigen::VectorXd& way) {
  if (config_.motion.kind == MotionKind::kJoints) return;
  const double speed = std::min(way.head(position_dim()).norm(), kMaxSpread);
  state_.motion_doubt.setZero(way.size());
  state_.motion_doubt.head(position_dim()).setConstant(speed);
  state_.motion_doubt_until = stamp + static_cast<Stamp>(kMotionDoubt / kSecondsPerNanosecond);
}

void Estimator::doubt_heading(const Eigen::VectorXd& way) {
  if (config_.motion.kind != MotionKind::kPlanar || !state_.has_control) return;
  const double speed = way.head<2>().norm();
  const double driven = std::abs(state_.control[0]);
  if (driven <= kMinSpeedShare * speed) return;
  if (state_.spread.size() == 0) state_.spread.setZero(way.size());
  state_.spread[2] = std::hypot(state_.spread[2], std::min(kMaxHeadingSpread, speed / driven));
}

// While sensors contradict each other, the belief is stated as that of both sides together:
// its covariance and that of the way between them.
void Estimator::state_belief() {
  is_disputed_ = false;
  for (const Watch& watch : state_.watches) {
    const double share = watch.agreement.share_of_other_side();
    if (share == 0.0 || watch.other_side.size() == 0) continue;
    if (!is_disputed_) disputed_covariance_ = filter_.belief().covariance();
    is_disputed_ = true;
    const Eigen::Index own = watch.other_side.size();
    disputed_covariance_.topLeftCorner(own, own) +=
        share * watch.other_side * watch.other_side.transpose();
  }
  if (!is_disputed_) return;
  stated_.mean = filter_.belief().mean;
  stated_.factor = factor_of(disputed_covariance_);
}

}  // namespace ovf
