#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ovf/recording/ros_std.hpp"

// sensor_msgs of cameras and laser scanners.
namespace ovf::ros {

struct Image {
  static constexpr const char* kType = "sensor_msgs/msg/Image";
  Header header = {};
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::string encoding = {};
  std::uint8_t is_bigendian = 0;
  std::uint32_t step = 0;
  std::vector<std::uint8_t> data = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("height", m.height);
    visit("width", m.width);
    visit("encoding", m.encoding);
    visit("is_bigendian", m.is_bigendian);
    visit("step", m.step);
    visit("data", m.data);
  }
  bool operator==(const Image&) const = default;
};

struct CompressedImage {
  static constexpr const char* kType = "sensor_msgs/msg/CompressedImage";
  Header header = {};
  std::string format = {};
  std::vector<std::uint8_t> data = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("format", m.format);
    visit("data", m.data);
  }
  bool operator==(const CompressedImage&) const = default;
};

struct RegionOfInterest {
  static constexpr const char* kType = "sensor_msgs/msg/RegionOfInterest";
  std::uint32_t x_offset = 0;
  std::uint32_t y_offset = 0;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  bool do_rectify = false;

  static void fields(auto& m, auto& visit) {
    visit("x_offset", m.x_offset);
    visit("y_offset", m.y_offset);
    visit("height", m.height);
    visit("width", m.width);
    visit("do_rectify", m.do_rectify);
  }
  bool operator==(const RegionOfInterest&) const = default;
};

struct CameraInfo {
  static constexpr const char* kType = "sensor_msgs/msg/CameraInfo";
  Header header = {};
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::string distortion_model = {};
  std::vector<double> d = {};
  std::array<double, 9> k = {};
  std::array<double, 9> r = {};
  std::array<double, 12> p = {};
  std::uint32_t binning_x = 0;
  std::uint32_t binning_y = 0;
  RegionOfInterest roi = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("height", m.height);
    visit("width", m.width);
    visit("distortion_model", m.distortion_model);
    visit("d", m.d);
    visit("k", m.k);
    visit("r", m.r);
    visit("p", m.p);
    visit("binning_x", m.binning_x);
    visit("binning_y", m.binning_y);
    visit("roi", m.roi);
  }
  bool operator==(const CameraInfo&) const = default;
};

struct LaserScan {
  static constexpr const char* kType = "sensor_msgs/msg/LaserScan";
  Header header = {};
  float angle_min = 0.0F;
  float angle_max = 0.0F;
  float angle_increment = 0.0F;
  float time_increment = 0.0F;
  float scan_time = 0.0F;
  float range_min = 0.0F;
  float range_max = 0.0F;
  std::vector<float> ranges = {};
  std::vector<float> intensities = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("angle_min", m.angle_min);
    visit("angle_max", m.angle_max);
    visit("angle_increment", m.angle_increment);
    visit("time_increment", m.time_increment);
    visit("scan_time", m.scan_time);
    visit("range_min", m.range_min);
    visit("range_max", m.range_max);
    visit("ranges", m.ranges);
    visit("intensities", m.intensities);
  }
  bool operator==(const LaserScan&) const = default;
};

}  // namespace ovf::ros
