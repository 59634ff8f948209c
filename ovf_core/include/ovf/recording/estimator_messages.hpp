#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <string>
#include <vector>

#include "ovf/estimator/body_belief.hpp"
#include "ovf/estimator/estimator.hpp"

// What an estimator has to say, as messages. Templates, as sense.hpp: for the messages of rclcpp
// and for those of recordings.
namespace ovf {

template <typename Time>
void set_time(Stamp stamp, Time& out) {
  constexpr Stamp kSecond = 1'000'000'000;
  Stamp seconds = stamp / kSecond;
  if (stamp % kSecond < 0) --seconds;
  out.sec = static_cast<std::int32_t>(seconds);
  out.nanosec = static_cast<std::uint32_t>(stamp - seconds * kSecond);
}

template <typename Header>
void set_header(const Estimator& estimator, Header& out) {
  set_time(estimator.stamp(), out.stamp);
  out.frame_id = estimator.config().output.world_frame;
}

template <typename Matrix>
std::vector<double> rows_of(const Matrix& matrix) {
  std::vector<double> rows(static_cast<std::size_t>(matrix.size()));
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      rows.data(), matrix.rows(), matrix.cols()) = matrix;
  return rows;
}

template <typename Vector>
void set_vector(const Eigen::Vector3d& v, Vector& out) {
  out.x = v.x();
  out.y = v.y();
  out.z = v.z();
}

template <typename Quaternion>
void set_quaternion(const Eigen::Quaterniond& q, Quaternion& out) {
  out.x = q.x();
  out.y = q.y();
  out.z = q.z();
  out.w = q.w();
}

template <typename PoseWithCovariance>
void set_pose(const BodyBelief& body, PoseWithCovariance& out) {
  set_vector(body.mean.position, out.pose.position);
  set_quaternion(Eigen::Quaterniond(body.mean.rotation), out.pose.orientation);
  Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>(out.covariance.data()) =
      body.pose_covariance;
}

inline BodyBelief body_belief(const Estimator& estimator) {
  return body_belief(estimator.motion(), estimator.reference(), estimator.belief().mean,
                     estimator.belief().covariance());
}

/// A variance of zero would say that an axis is known exactly: of one that is not estimated
/// (heights, rolls and pitches of a planar robot) it is the one that users of nav_msgs/Odometry
/// take for unknown.
inline constexpr double kUnknownVariance = 1e6;

template <typename Covariance>
void mark_unknown_axes(Covariance& rows) {
  constexpr std::size_t kAxes = 6;
  for (std::size_t i = 0; i < kAxes; ++i) {
    if (rows[i * kAxes + i] == 0.0) rows[i * kAxes + i] = kUnknownVariance;
  }
}

template <typename Odometry>
void fill_odometry(const Estimator& estimator, const BodyBelief& body, Odometry& out) {
  set_header(estimator, out.header);
  out.child_frame_id = estimator.config().output.body_frame;
  set_pose(body, out.pose);
  set_vector(body.mean.velocity, out.twist.twist.linear);
  set_vector(body.mean.rate, out.twist.twist.angular);
  Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>(out.twist.covariance.data()) =
      body.twist_covariance;
  mark_unknown_axes(out.pose.covariance);
  mark_unknown_axes(out.twist.covariance);
}

template <typename TransformStamped>
void fill_transform(const Estimator& estimator, const BodyBelief& body, TransformStamped& out) {
  set_header(estimator, out.header);
  out.child_frame_id = estimator.config().output.body_frame;
  set_vector(body.mean.position, out.transform.translation);
  set_quaternion(Eigen::Quaterniond(body.mean.rotation), out.transform.rotation);
}

/// What became of a message.
template <typename SensorUpdate>
void fill_update(const Message& message, const EstimatorResult& result, SensorUpdate& out) {
  const auto* measurement = std::get_if<Measurement>(&message);
  out.sensor = measurement != nullptr ? measurement->sensor : std::string();
  set_time(stamp_of(message), out.stamp);
  out.target = measurement != nullptr ? measurement->target : -1;
  out.outcome = to_string(result.outcome);
  out.elbo_increment = result.elbo_increment;
  out.innovation.assign(result.innovation.data(),
                        result.innovation.data() + result.innovation.size());
  out.nis = result.nis;
  out.gate = result.gate;
}

/// Without its updates.
template <typename Posterior>
void fill_posterior(const Estimator& estimator, double relbo, Posterior& out) {
  set_header(estimator, out.header);
  out.child_frame_id = estimator.config().output.body_frame;
  out.state.names.clear();
  for (const StateEntry& entry : estimator.layout().entries())
    out.state.names.push_back(entry.name);
  const Gaussian& belief = estimator.belief();
  out.state.mean.assign(belief.mean.data(), belief.mean.data() + belief.mean.size());
  out.state.covariance = rows_of(belief.covariance());
  set_quaternion(estimator.reference(), out.reference);
  out.relbo = relbo;
}

template <typename Rollout>
void fill_rollout(const Estimator& estimator, const ovf::Rollout& rollout, Rollout& out) {
  set_header(estimator, out.header);
  out.child_frame_id = estimator.config().output.body_frame;
  const int own = estimator.motion().state_dim();
  out.times = rollout.times;
  out.names.clear();
  for (const MotionState& state : estimator.motion().states()) out.names.push_back(state.name);
  out.poses.resize(rollout.times.size());
  out.means.clear();
  out.covariances.clear();
  for (std::size_t k = 0; k < rollout.times.size(); ++k) {
    const Eigen::VectorXd mean = rollout.means.col(static_cast<Eigen::Index>(k));
    const Eigen::MatrixXd covariance = rollout.covariances[k].topLeftCorner(own, own);
    const Eigen::Quaterniond reference =
        k < rollout.references.size() ? rollout.references[k] : Eigen::Quaterniond::Identity();
    set_pose(body_belief(estimator.motion(), reference, mean, rollout.covariances[k]),
             out.poses[k]);
    out.means.insert(out.means.end(), mean.data(), mean.data() + own);
    const std::vector<double> rows = rows_of(covariance);
    out.covariances.insert(out.covariances.end(), rows.begin(), rows.end());
  }
  out.path_count = static_cast<std::uint32_t>(rollout.paths.size());
  out.paths.clear();
  for (const Eigen::MatrixXd& path : rollout.paths) {
    for (Eigen::Index k = 0; k < path.cols(); ++k) {
      out.paths.insert(out.paths.end(), path.col(k).data(), path.col(k).data() + own);
    }
  }
}

/// The means of a rollout, for a display.
template <typename Path, typename Rollout>
void fill_path(const Rollout& rollout, Path& out) {
  out.header = rollout.header;
  out.poses.resize(rollout.poses.size());
  const Stamp start =
      Stamp{1'000'000'000} * rollout.header.stamp.sec + rollout.header.stamp.nanosec;
  for (std::size_t k = 0; k < rollout.poses.size(); ++k) {
    out.poses[k].header = rollout.header;
    set_time(start + static_cast<Stamp>(rollout.times[k] * 1e9), out.poses[k].header.stamp);
    out.poses[k].pose = rollout.poses[k].pose;
  }
}

template <typename ModelParameters>
void fill_parameters(const Estimator& estimator, ModelParameters& out) {
  set_header(estimator, out.header);
  out.names.clear();
  out.values.clear();
  out.standard_deviations.clear();
  out.status.clear();
  for (const ParameterEstimate& parameter : estimator.parameters()) {
    out.names.push_back(parameter.name);
    out.values.push_back(parameter.value);
    out.standard_deviations.push_back(parameter.deviation);
    out.status.push_back(static_cast<std::uint8_t>(parameter.status));
  }
}

/// "<event>[ <sensor>][ <value>]".
std::string event_text(const Estimator& estimator, const Event& event);

/// Without events and latencies.
template <typename FilterStatus>
void fill_status(const Estimator& estimator, double relbo, FilterStatus& out) {
  const auto count = [&](Outcome outcome) {
    return static_cast<std::uint64_t>(estimator.counters().of(outcome));
  };
  set_header(estimator, out.header);
  out.initialised = estimator.initialised();
  out.learning =
      estimator.learning() && estimator.config().filter.learning.rule != LearningRule::kNone;
  out.used = count(Outcome::kUsed);
  out.predicted = count(Outcome::kPredicted);
  out.not_initialised = count(Outcome::kNotInitialised);
  out.unknown_sensor = count(Outcome::kUnknownSensor);
  out.unknown_target = count(Outcome::kUnknownTarget);
  out.wrong_size = count(Outcome::kWrongSize);
  out.not_finite = count(Outcome::kNotFinite);
  out.duplicate = count(Outcome::kDuplicate);
  out.out_of_order = count(Outcome::kOutOfOrder);
  out.too_old = count(Outcome::kTooOld);
  out.gated = count(Outcome::kGated);
  out.numerical_failure = count(Outcome::kNumericalFailure);
  out.ahead_of_time = count(Outcome::kAheadOfTime);
  out.relbo = relbo;
  const StepResult& step = estimator.filter().last_result();
  out.health = to_string(step.health);
  out.sample_efficiency = step.sample_efficiency;
}

}  // namespace ovf
