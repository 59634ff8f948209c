#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ovf/recording/ros_geometry.hpp"
#include "ovf/recording/ros_std.hpp"

// ovf_msgs; what the fields mean stands in ovf_msgs/msg.
namespace ovf::ros {

struct VectorObservation {
  static constexpr const char* kType = "ovf_msgs/msg/VectorObservation";
  Header header = {};
  std::int32_t target = 0;
  std::vector<double> values = {};
  std::vector<double> covariance = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("target", m.target);
    visit("values", m.values);
    visit("covariance", m.covariance);
  }
  bool operator==(const VectorObservation&) const = default;
};

struct RangeBearing {
  static constexpr const char* kType = "ovf_msgs/msg/RangeBearing";
  std::int32_t id = 0;
  double range = 0.0;
  double bearing = 0.0;
  double range_variance = 0.0;
  double bearing_variance = 0.0;

  static void fields(auto& m, auto& visit) {
    visit("id", m.id);
    visit("range", m.range);
    visit("bearing", m.bearing);
    visit("range_variance", m.range_variance);
    visit("bearing_variance", m.bearing_variance);
  }
  bool operator==(const RangeBearing&) const = default;
};

struct RangeBearingArray {
  static constexpr const char* kType = "ovf_msgs/msg/RangeBearingArray";
  Header header = {};
  std::vector<RangeBearing> landmarks = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("landmarks", m.landmarks);
  }
  bool operator==(const RangeBearingArray&) const = default;
};

struct GaussianState {
  static constexpr const char* kType = "ovf_msgs/msg/GaussianState";
  std::vector<std::string> names = {};
  std::vector<double> mean = {};
  std::vector<double> covariance = {};

  static void fields(auto& m, auto& visit) {
    visit("names", m.names);
    visit("mean", m.mean);
    visit("covariance", m.covariance);
  }
  bool operator==(const GaussianState&) const = default;
};

struct SensorUpdate {
  static constexpr const char* kType = "ovf_msgs/msg/SensorUpdate";
  std::string sensor = {};
  Time stamp = {};
  std::int32_t target = 0;
  std::string outcome = {};
  double elbo_increment = 0.0;
  std::vector<double> innovation = {};
  double nis = 0.0;
  double gate = 0.0;

  static void fields(auto& m, auto& visit) {
    visit("sensor", m.sensor);
    visit("stamp", m.stamp);
    visit("target", m.target);
    visit("outcome", m.outcome);
    visit("elbo_increment", m.elbo_increment);
    visit("innovation", m.innovation);
    visit("nis", m.nis);
    visit("gate", m.gate);
  }
  bool operator==(const SensorUpdate&) const = default;
};

struct Posterior {
  static constexpr const char* kType = "ovf_msgs/msg/Posterior";
  Header header = {};
  std::string child_frame_id = {};
  GaussianState state = {};
  Quaternion reference = {};
  double relbo = 0.0;
  std::vector<SensorUpdate> updates = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("child_frame_id", m.child_frame_id);
    visit("state", m.state);
    visit("reference", m.reference);
    visit("relbo", m.relbo);
    visit("updates", m.updates);
  }
  bool operator==(const Posterior&) const = default;
};

struct Rollout {
  static constexpr const char* kType = "ovf_msgs/msg/Rollout";
  Header header = {};
  std::string child_frame_id = {};
  std::vector<double> times = {};
  std::vector<PoseWithCovariance> poses = {};
  std::vector<std::string> names = {};
  std::vector<double> means = {};
  std::vector<double> covariances = {};
  std::uint32_t path_count = 0;
  std::vector<double> paths = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("child_frame_id", m.child_frame_id);
    visit("times", m.times);
    visit("poses", m.poses);
    visit("names", m.names);
    visit("means", m.means);
    visit("covariances", m.covariances);
    visit("path_count", m.path_count);
    visit("paths", m.paths);
  }
  bool operator==(const Rollout&) const = default;
};

struct ModelParameters {
  static constexpr const char* kType = "ovf_msgs/msg/ModelParameters";
  Header header = {};
  std::vector<std::string> names = {};
  std::vector<double> values = {};
  std::vector<double> standard_deviations = {};
  std::vector<std::uint8_t> status = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("names", m.names);
    visit("values", m.values);
    visit("standard_deviations", m.standard_deviations);
    visit("status", m.status);
  }
  bool operator==(const ModelParameters&) const = default;
};

struct FilterStatus {
  static constexpr const char* kType = "ovf_msgs/msg/FilterStatus";
  Header header = {};
  bool initialised = false;
  bool learning = false;
  std::uint64_t used = 0;
  std::uint64_t predicted = 0;
  std::uint64_t not_initialised = 0;
  std::uint64_t unknown_sensor = 0;
  std::uint64_t unknown_target = 0;
  std::uint64_t wrong_size = 0;
  std::uint64_t not_finite = 0;
  std::uint64_t duplicate = 0;
  std::uint64_t out_of_order = 0;
  std::uint64_t too_old = 0;
  std::uint64_t gated = 0;
  std::uint64_t numerical_failure = 0;
  std::vector<std::string> events = {};
  double relbo = 0.0;
  std::string health = {};
  double sample_efficiency = 0.0;
  double latency_p50 = 0.0;
  double latency_p95 = 0.0;
  double latency_p99 = 0.0;
  double latency_max = 0.0;
  std::uint64_t ahead_of_time = 0;

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("initialised", m.initialised);
    visit("learning", m.learning);
    visit("used", m.used);
    visit("predicted", m.predicted);
    visit("not_initialised", m.not_initialised);
    visit("unknown_sensor", m.unknown_sensor);
    visit("unknown_target", m.unknown_target);
    visit("wrong_size", m.wrong_size);
    visit("not_finite", m.not_finite);
    visit("duplicate", m.duplicate);
    visit("out_of_order", m.out_of_order);
    visit("too_old", m.too_old);
    visit("gated", m.gated);
    visit("numerical_failure", m.numerical_failure);
    visit("events", m.events);
    visit("relbo", m.relbo);
    visit("health", m.health);
    visit("sample_efficiency", m.sample_efficiency);
    visit("latency_p50", m.latency_p50);
    visit("latency_p95", m.latency_p95);
    visit("latency_p99", m.latency_p99);
    visit("latency_max", m.latency_max);
    visit("ahead_of_time", m.ahead_of_time, kMayBeAbsent);
  }
  bool operator==(const FilterStatus&) const = default;
};

}  // namespace ovf::ros
