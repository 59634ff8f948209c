#pragma once

#include <cstdint>
#include <string>
#include <vector>

// builtin_interfaces, std_msgs, rosgraph_msgs.
namespace ovf::ros {

struct Time {
  static constexpr const char* kType = "builtin_interfaces/msg/Time";
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;

  static void fields(auto& m, auto& visit) {
    visit("sec", m.sec);
    visit("nanosec", m.nanosec);
  }
  bool operator==(const Time&) const = default;
};

struct Duration {
  static constexpr const char* kType = "builtin_interfaces/msg/Duration";
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;

  static void fields(auto& m, auto& visit) {
    visit("sec", m.sec);
    visit("nanosec", m.nanosec);
  }
  bool operator==(const Duration&) const = default;
};

struct Clock {
  static constexpr const char* kType = "rosgraph_msgs/msg/Clock";
  Time clock = {};

  static void fields(auto& m, auto& visit) { visit("clock", m.clock); }
  bool operator==(const Clock&) const = default;
};

struct Header {
  static constexpr const char* kType = "std_msgs/msg/Header";
  Time stamp = {};
  std::string frame_id = {};

  static void fields(auto& m, auto& visit) {
    visit("stamp", m.stamp);
    visit("frame_id", m.frame_id);
  }
  bool operator==(const Header&) const = default;
};

struct Bool {
  static constexpr const char* kType = "std_msgs/msg/Bool";
  bool data = false;

  static void fields(auto& m, auto& visit) { visit("data", m.data); }
  bool operator==(const Bool&) const = default;
};

struct Int32 {
  static constexpr const char* kType = "std_msgs/msg/Int32";
  std::int32_t data = 0;

  static void fields(auto& m, auto& visit) { visit("data", m.data); }
  bool operator==(const Int32&) const = default;
};

struct Int64 {
  static constexpr const char* kType = "std_msgs/msg/Int64";
  std::int64_t data = 0;

  static void fields(auto& m, auto& visit) { visit("data", m.data); }
  bool operator==(const Int64&) const = default;
};

struct Float32 {
  static constexpr const char* kType = "std_msgs/msg/Float32";
  float data = 0.0F;

  static void fields(auto& m, auto& visit) { visit("data", m.data); }
  bool operator==(const Float32&) const = default;
};

struct Float64 {
  static constexpr const char* kType = "std_msgs/msg/Float64";
  double data = 0.0;

  static void fields(auto& m, auto& visit) { visit("data", m.data); }
  bool operator==(const Float64&) const = default;
};

struct String {
  static constexpr const char* kType = "std_msgs/msg/String";
  std::string data = {};

  static void fields(auto& m, auto& visit) { visit("data", m.data); }
  bool operator==(const String&) const = default;
};

struct MultiArrayDimension {
  static constexpr const char* kType = "std_msgs/msg/MultiArrayDimension";
  std::string label = {};
  std::uint32_t size = 0;
  std::uint32_t stride = 0;

  static void fields(auto& m, auto& visit) {
    visit("label", m.label);
    visit("size", m.size);
    visit("stride", m.stride);
  }
  bool operator==(const MultiArrayDimension&) const = default;
};

struct MultiArrayLayout {
  static constexpr const char* kType = "std_msgs/msg/MultiArrayLayout";
  std::vector<MultiArrayDimension> dim = {};
  std::uint32_t data_offset = 0;

  static void fields(auto& m, auto& visit) {
    visit("dim", m.dim);
    visit("data_offset", m.data_offset);
  }
  bool operator==(const MultiArrayLayout&) const = default;
};

struct Float64MultiArray {
  static constexpr const char* kType = "std_msgs/msg/Float64MultiArray";
  MultiArrayLayout layout = {};
  std::vector<double> data = {};

  static void fields(auto& m, auto& visit) {
    visit("layout", m.layout);
    visit("data", m.data);
  }
  bool operator==(const Float64MultiArray&) const = default;
};

}  // namespace ovf::ros
