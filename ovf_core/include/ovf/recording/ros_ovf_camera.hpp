#pragma once

#include <cstdint>

#include "ovf/recording/ros_std.hpp"

// ovf_msgs about cameras; what the fields mean stands in ovf_msgs/msg.
namespace ovf::ros {

struct Novelty {
  static constexpr const char* kType = "ovf_msgs/msg/Novelty";
  Header header = {};
  double novelty = 0.0;
  double nis = 0.0;

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("novelty", m.novelty);
    visit("nis", m.nis);
  }
  bool operator==(const Novelty&) const = default;
};

struct CameraStatus {
  static constexpr const char* kType = "ovf_msgs/msg/CameraStatus";
  Header header = {};
  bool initialised = false;
  bool learning = false;
  std::uint64_t used = 0;
  std::uint64_t too_soon = 0;
  std::uint64_t duplicate = 0;
  std::uint64_t out_of_order = 0;
  std::uint64_t bad_stamp = 0;
  std::uint64_t bad_image = 0;
  std::uint64_t numerical_failure = 0;
  std::uint64_t dropped = 0;
  std::uint64_t restarts = 0;
  std::uint64_t parameters_restored = 0;
  double novelty = 0.0;
  double nis = 0.0;
  double relbo = 0.0;
  double input_rate = 0.0;
  double used_rate = 0.0;
  double latency_p50 = 0.0;
  double latency_p95 = 0.0;
  double latency_p99 = 0.0;
  double latency_max = 0.0;

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("initialised", m.initialised);
    visit("learning", m.learning);
    visit("used", m.used);
    visit("too_soon", m.too_soon);
    visit("duplicate", m.duplicate);
    visit("out_of_order", m.out_of_order);
    visit("bad_stamp", m.bad_stamp);
    visit("bad_image", m.bad_image);
    visit("numerical_failure", m.numerical_failure);
    visit("dropped", m.dropped);
    visit("restarts", m.restarts);
    visit("parameters_restored", m.parameters_restored);
    visit("novelty", m.novelty);
    visit("nis", m.nis);
    visit("relbo", m.relbo);
    visit("input_rate", m.input_rate);
    visit("used_rate", m.used_rate);
    visit("latency_p50", m.latency_p50);
    visit("latency_p95", m.latency_p95);
    visit("latency_p99", m.latency_p99);
    visit("latency_max", m.latency_max);
  }
  bool operator==(const CameraStatus&) const = default;
};

}  // namespace ovf::ros
