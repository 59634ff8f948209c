// First beliefs, and what learning may move.
#include <fmt/format.h>

#include <stdexcept>

#include "estimator/factor_of.hpp"
#include "ovf/estimator/estimator.hpp"

namespace ovf {
namespace {

// A quantity that is taken for known keeps this share of its deviation: a covariance is definite.
constexpr double kKnown = 1e-6;
// A heading that is less certain than this, in radians, is not known any more; one that is more
// certain than half of it is.
constexpr double kLostHeading = 0.8;
// And so certain is it once it is found again.
constexpr double kFoundHeading = 0.5;

}  // namespace

Gaussian Estimator::prior() const {
  Gaussian prior = robot_.layout.prior();
  if (!state_.keeps_learned) return prior;
  // What has been learned stays, as certain as it is.
  Eigen::MatrixXd covariance = prior.covariance();
  const int own = robot_.motion->state_dim();
  const int rest = prior.dim() - own;
  prior.mean.tail(rest) = filter_.belief().mean.tail(rest);
  covariance.bottomRightCorner(rest, rest) =
      filter_.belief().covariance().bottomRightCorner(rest, rest);
  prior.factor = factor_of(covariance);
  return prior;
}

bool Estimator::start_with(const Message& message) {
  Gaussian belief = prior();
  Eigen::Quaterniond reference = Eigen::Quaterniond::Identity();
  if (!first_motion(message, belief.mean, reference)) return false;
  start(stamp_of(message), belief, reference);
  state_.started = kFarthestStamp;
  add_event(EventKind::kInitialised, result_.sensor);
  return true;
}

bool Estimator::first_motion(const Message& message, Eigen::VectorXd& mean,
                             Eigen::Quaterniond& reference) {
  if (config_.initial.rule == InitialRule::kGiven) return true;
  if (config_.initial.rule == InitialRule::kCall) return false;
  const auto* measurement = std::get_if<Measurement>(&message);
  const bool is_pose = measurement != nullptr &&
                       sensor_config(sensor_index(measurement->sensor)).kind == SensorKind::kPose;
  if (is_pose) {
    mean.head(3) = measurement->y.head(3);
    if (measurement->y.size() == 7) reference = measured_orientation(*measurement);
    return true;
  }
  if (config_.initial.rule == InitialRule::kCourse) return first_motion_by_course(message, mean);
  return measurement != nullptr && take_position(*measurement, mean);
}

bool Estimator::first_motion_by_course(const Message& message, Eigen::VectorXd& mean) {
  if (const auto* control = std::get_if<Control>(&message)) {
    course_.drive(*control);
    return false;
  }
  const auto& measurement = std::get<Measurement>(message);
  if (!take_position(measurement, mean)) return false;
  const auto pose = course_.see(measurement.stamp, mean.head<2>());
  if (!pose) return false;
  mean.head<3>() = *pose;
  course_.clear();
  return true;
}

bool Estimator::take_position(const Measurement& measurement, Eigen::VectorXd& mean) const {
  const SensorConfig& sensor = sensor_config(sensor_index(measurement.sensor));
  if (sensor.kind != SensorKind::kPosition) return false;
  for (Eigen::Index i = 0; i < measurement.y.size(); ++i) {
    const int axis =
        sensor.axes.empty() ? static_cast<int>(i) : sensor.axes[static_cast<std::size_t>(i)];
    if (axis < position_dim()) mean[axis] = measurement.y[i];
  }
  return true;
}

int Estimator::position_dim() const { return config_.motion.kind == MotionKind::kPlanar ? 2 : 3; }

void Estimator::initialise(Stamp stamp, const Eigen::VectorXd& mean,
                           const Eigen::MatrixXd& covariance, const Eigen::Quaterniond& reference) {
  const int own = robot_.motion->state_dim();
  if (mean.size() != own || covariance.rows() != own || covariance.cols() != own) {
    throw std::invalid_argument(
        fmt::format("initial belief: {} numbers and a {} x {} covariance; expected {} and {} x {}",
                    mean.size(), covariance.rows(), covariance.cols(), own, own, own));
  }
  if (!mean.allFinite() || !reference.coeffs().allFinite()) {
    throw std::invalid_argument("initial belief: it has a NaN or an infinity");
  }
  Gaussian belief = prior();
  Eigen::MatrixXd all = belief.covariance();
  all.topLeftCorner(own, own) = covariance;
  all.topRightCorner(own, all.cols() - own).setZero();
  all.bottomLeftCorner(all.rows() - own, own).setZero();
  belief.mean.head(own) = mean;
  belief.factor = CovarianceFactor::from_covariance(all, CovarianceForm::kFull);
  history_.clear();
  start(stamp, belief, reference.normalized());
  state_.started = kFarthestStamp;
  state_belief();
  ++counters_.events[static_cast<std::size_t>(EventKind::kInitialised)];
}

void Estimator::start(Stamp stamp, const Gaussian& belief, const Eigen::Quaterniond& reference) {
  state_.elbo_before += filter_.last_result().elbo;
  filter_.restart(state_.learning ? belief : with_known_quantities(belief));
  input_.dt = 0.0;
  input_.control.resize(0);
  input_.last_control.resize(0);
  state_.last_control.resize(0);
  input_.last_reference = input_.reference = reference;
  filter_.skip(input_);
  state_.initialised = true;
  state_.keeps_learned = true;
  state_.now = stamp;
  state_.reference = reference;
  state_.failures = 0;
  for (Watch& watch : state_.watches) watch = {.last = stamp};
  state_.motion_doubt.resize(0);
  state_.takes_side = -1;
  state_.heading_was_known = state_.heading_is_lost = false;
  held_out_.stop();
  lag_.clear();
  lag_.push(stamp, filter_.last_result().step, filter_.record());
}

void Estimator::find_heading_again(const Message& message) {
  const bool drives = config_.motion.control == ControlKind::kOdometry ||
                      config_.motion.control == ControlKind::kCommand;
  if (config_.motion.kind != MotionKind::kPlanar || !drives) return;
  const double deviation = filter_.belief().factor.standard_deviations()[2];
  if (deviation < 0.5 * kLostHeading) state_.heading_was_known = true;
  if (!state_.heading_is_lost && state_.heading_was_known && deviation > kLostHeading) {
    state_.heading_is_lost = true;
    course_.clear();
  }
  if (!state_.heading_is_lost) return;
  Gaussian found = filter_.belief();
  if (!first_motion_by_course(message, found.mean)) return;
  const int own = robot_.motion->state_dim();
  Eigen::MatrixXd covariance = found.covariance();
  covariance.topLeftCorner(own, own) = robot_.layout.prior().covariance().topLeftCorner(own, own);
  covariance.topRightCorner(own, found.dim() - own).setZero();
  covariance.bottomLeftCorner(found.dim() - own, own).setZero();
  covariance(2, 2) = std::min(covariance(2, 2), kFoundHeading * kFoundHeading);
  found.factor = factor_of(covariance);
  start(state_.now, found, state_.reference);
  add_event(EventKind::kRestarted);
}

void Estimator::reset(bool keep_parameters) {
  state_.initialised = false;
  state_.has_control = false;
  is_disputed_ = false;
  history_.clear();
  lag_.clear();
  course_.clear();
  if (keep_parameters) return;
  state_.keeps_learned = false;
  for (ErrorCorrelation& correlation : correlations_) correlation.clear();
  for (PredictionHorizon& horizon : horizons_) horizon.clear();
  filter_.learner().forget(0.0);
  filter_.set_parameters(first_parameters_);
  guard_ =
      ParameterGuard(config_.guard, static_cast<int>(config_.sensors.size()), first_parameters_);
}

void Estimator::set_learning(bool on) {
  if (on == state_.learning) return;
  state_.learning = on;
  settle(state_.now);
  if (!state_.initialised) return;
  Gaussian now = filter_.belief();
  if (on) {
    // As uncertain as it was before.
    const Eigen::Index rest = state_.deviations.size();
    Eigen::MatrixXd covariance = now.covariance();
    covariance.bottomRightCorner(rest, rest) =
        Eigen::MatrixXd(state_.deviations.cwiseAbs2().asDiagonal());
    now.factor = factor_of(covariance);
  }
  const std::vector<Watch> watches = state_.watches;
  start(state_.now, now, state_.reference);
  state_.watches = watches;
}

// The belief of the motion's own states given what was learned, which is then taken for known.
Gaussian Estimator::with_known_quantities(const Gaussian& belief) {
  const int own = robot_.motion->state_dim();
  const int rest = robot_.layout.dim() - own;
  Eigen::MatrixXd covariance = belief.covariance();
  auto learned = covariance.bottomRightCorner(rest, rest);
  state_.deviations = learned.diagonal().cwiseSqrt();
  const Eigen::MatrixXd gain = learned.llt().solve(covariance.bottomLeftCorner(rest, own));
  const Eigen::VectorXd least = kKnown * kKnown * covariance.diagonal().head(own);
  covariance.topLeftCorner(own, own) -= covariance.topRightCorner(own, rest) * gain;
  covariance.diagonal().head(own) = covariance.diagonal().head(own).cwiseMax(least);
  learned = Eigen::MatrixXd((kKnown * state_.deviations).cwiseAbs2().asDiagonal());
  covariance.topRightCorner(own, rest).setZero();
  covariance.bottomLeftCorner(rest, own).setZero();
  return {belief.mean, factor_of(covariance)};
}

}  // namespace ovf
