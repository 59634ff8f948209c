#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "ovf/estimator/messages.hpp"
#include "ovf/estimator/robot_log.hpp"
#include "ovf/learning/parameter_status.hpp"

namespace ovf {

/// A pose, and how well it is known: covariance of x, y, z and of small turns about the world's
/// axes, or empty.
struct PoseSample {
  Stamp stamp = 0;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Eigen::Matrix<double, 6, 6> covariance = Eigen::Matrix<double, 6, 6>::Zero();
  bool has_covariance = false;
};

/// What became of one message of a sensor.
struct UpdateSample {
  Stamp stamp = 0;
  std::string sensor = {};  ///< empty: a control
  int target = -1;
  std::string outcome = {};
  double elbo_increment = 0.0;
  Eigen::VectorXd innovation = {};
  double nis = 0.0;
  double gate = 0.0;
};

/// What the learned model foretold, in the plane or in space.
struct RolloutSample {
  Stamp stamp = 0;
  std::vector<double> times = {};      ///< seconds from then
  std::vector<PoseSample> poses = {};  ///< one for each time
};

struct ParameterSample {
  Stamp stamp = 0;
  std::vector<std::string> names = {};
  std::vector<double> values = {};
  std::vector<double> deviations = {};
  std::vector<ParameterStatus> status = {};
};

struct EventSample {
  Stamp stamp = 0;
  std::string text = {};
};

/// Whether the filter's own predictions supported its belief.
struct HealthSample {
  Stamp stamp = 0;
  std::string health = {};  ///< as in ovf_msgs/FilterStatus; empty: not known
  double sample_efficiency = 1.0;
};

/// What a run cost; zeros: not known.
struct MachineFigures {
  double seconds = 0.0;
  double times_real_time = 0.0;
  double peak_megabytes = 0.0;
  /// Microseconds per message.
  double mean = 0.0, p50 = 0.0, p95 = 0.0, p99 = 0.0, max = 0.0;
  /// Of its histogram: lower edges, and one more for the end of the last bin; counts.
  std::vector<double> edges = {};
  std::vector<double> counts = {};
};

/// Messages of a topic that a sensor could make nothing of.
struct UnusedSample {
  std::string sensor = {};
  std::string reason = {};
  long count = 0;
};

/// Everything that a run wrote, whether a replay or a live estimator.
struct RunRecord {
  std::string name = {};
  bool planar = true;
  /// false: a point, whose orientations mean nothing.
  bool has_orientation = true;
  /// Where it came from; empty: not known.
  std::string recording = {};
  std::string configuration = {};
  std::vector<Landmark> landmarks = {};
  std::vector<UnusedSample> unused = {};
  MachineFigures machine = {};
  std::vector<PoseSample> poses = {};
  std::vector<UpdateSample> updates = {};
  std::vector<RolloutSample> rollouts = {};
  std::vector<ParameterSample> parameters = {};
  std::vector<EventSample> events = {};
  std::vector<HealthSample> health = {};
  std::vector<double> relbo = {};  ///< one for each pose
  /// Why this is not all that the run estimated: damage, or an end before its time.
  std::vector<std::string> warnings = {};
};

}  // namespace ovf
