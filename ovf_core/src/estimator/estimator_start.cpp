// First beliefs, and what learning may move.
#include <fmt/format.h>

#include <stdexcept>

#include "estimator/factor_of.hpp"
#include "ovf/estimator/estimator.hpp"

namespace ovf {
namespace {

// A quantity that is taken for known keeps this share of its deviation: a covariance is definite.
constexpr double kKnown = 1e-6;
// The heading was another one if it is further off than this, or less certain, in radians; and so
// certain is it once it is found again.
constexpr double kOtherHeading = 0.5;
constexpr double kFoundHeading = 0.5;
// A way of more seconds is no good: odometry drifts. Nor is one from which the positions scatter by
// more than this share of its length.
constexpr double kMaxCourseTime = 30.0;
constexpr double kMaxScatter = 0.2;
// Positions scatter beyond so many deviations of the first place.
constexpr double kFarBeyond = 10.0;
constexpr double kTwoPi = 6.283185307179586;

// The first states are no more certain than this, if it is far beyond their deviations: noise
// scatters, too, and a few outliers do.
void widen(Gaussian& belief, int count, double deviation) {
  Eigen::MatrixXd covariance = belief.covariance();
  for (int i = 0; i < count; ++i) {
    if (deviation > kFarBeyond * std::sqrt(covariance(i, i)))
      covariance(i, i) = deviation * deviation;
  }
  belief.factor = factor_of(covariance);
}

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
  if (!first_motion(message, belief, reference)) return false;
  start(stamp_of(message), belief, reference);
  state_.started = kFarthestStamp;
  add_event(EventKind::kInitialised, result_.sensor);
  return true;
}

bool Estimator::first_motion(const Message& message, Gaussian& belief,
                             Eigen::Quaterniond& reference) {
  if (config_.initial.rule == InitialRule::kGiven) return true;
  if (config_.initial.rule == InitialRule::kCall) return false;
  const auto* measurement = std::get_if<Measurement>(&message);
  const bool is_pose = measurement != nullptr &&
                       sensor_config(sensor_index(measurement->sensor)).kind == SensorKind::kPose;
  if (is_pose) {
    belief.mean.head(3) = measurement->y.head(3);
    if (measurement->y.size() == 7) reference = measured_orientation(*measurement);
    return true;
  }
  if (config_.initial.rule == InitialRule::kCourse) {
    const auto course = see_course(message, belief);
    // Positions that do not fit the way say how far off either may be.
    if (course) widen(belief, 2, course->scatter);
    return course.has_value();
  }
  return measurement != nullptr && take_position(*measurement, belief.mean);
}

std::optional<CourseStart::Course> Estimator::see_course(const Message& message, Gaussian& belief) {
  if (const auto* control = std::get_if<Control>(&message)) {
    course_.drive(*control);
    return std::nullopt;
  }
  const auto& measurement = std::get<Measurement>(message);
  if (!take_position(measurement, belief.mean)) return std::nullopt;
  auto course = course_.see(measurement.stamp, belief.mean.head<2>());
  if (!course) return std::nullopt;
  belief.mean.head<3>() = course->pose;
  course_.clear();
  return course;
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
  state_.widen = false;
  state_.spread.resize(0);
  state_.motion_doubt.resize(0);
  held_out_.stop();
  lag_.clear();
  lag_.push(stamp, filter_.last_result().step, filter_.record());
}

// A robot that goes another way than its heading says, by its odometry and the positions that were
// measured meanwhile, has another heading: it is found as at the start.
void Estimator::check_heading(const Message& message) {
  const bool drives = config_.motion.control == ControlKind::kOdometry ||
                      config_.motion.control == ControlKind::kCommand;
  if (config_.motion.kind != MotionKind::kPlanar || !drives || !is_guarded()) return;
  const auto* measurement = std::get_if<Measurement>(&message);
  if (measurement != nullptr && result_.outcome != Outcome::kUsed) return;
  if (course_.duration() > kMaxCourseTime) course_.clear();
  Gaussian found = filter_.belief();
  const auto course = see_course(message, found);
  if (!course || course->scatter > kMaxScatter * course->distance) return;
  const double deviation = filter_.belief().factor.standard_deviations()[2];
  const double change = std::remainder(found.mean[2] - filter_.belief().mean[2], kTwoPi);
  if (std::abs(change) < kOtherHeading + 2.0 * deviation && deviation < kOtherHeading) return;

  const int own = robot_.motion->state_dim();
  Eigen::MatrixXd covariance = found.covariance();
  covariance.topRightCorner(own, found.dim() - own).setZero();
  covariance.bottomLeftCorner(found.dim() - own, own).setZero();
  covariance.topLeftCorner(own, own) = robot_.layout.prior().covariance().topLeftCorner(own, own);
  covariance(2, 2) = std::min(covariance(2, 2), kFoundHeading * kFoundHeading);
  found.factor = factor_of(covariance);
  const std::vector<Watch> watches = state_.watches;
  start(state_.now, found, state_.reference);
  state_.watches = watches;
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
