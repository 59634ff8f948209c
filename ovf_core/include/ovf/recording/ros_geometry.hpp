#pragma once

#include <array>

// geometry_msgs without a header.
namespace ovf::ros {

struct Vector3 {
  static constexpr const char* kType = "geometry_msgs/msg/Vector3";
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;

  static void fields(auto& m, auto& visit) {
    visit("x", m.x);
    visit("y", m.y);
    visit("z", m.z);
  }
  bool operator==(const Vector3&) const = default;
};

struct Point {
  static constexpr const char* kType = "geometry_msgs/msg/Point";
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;

  static void fields(auto& m, auto& visit) {
    visit("x", m.x);
    visit("y", m.y);
    visit("z", m.z);
  }
  bool operator==(const Point&) const = default;
};

struct Point32 {
  static constexpr const char* kType = "geometry_msgs/msg/Point32";
  float x = 0.0F;
  float y = 0.0F;
  float z = 0.0F;

  static void fields(auto& m, auto& visit) {
    visit("x", m.x);
    visit("y", m.y);
    visit("z", m.z);
  }
  bool operator==(const Point32&) const = default;
};

struct Quaternion {
  static constexpr const char* kType = "geometry_msgs/msg/Quaternion";
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  double w = 1.0;

  static void fields(auto& m, auto& visit) {
    visit("x", m.x);
    visit("y", m.y);
    visit("z", m.z);
    visit("w", m.w);
  }
  bool operator==(const Quaternion&) const = default;
};

struct Pose {
  static constexpr const char* kType = "geometry_msgs/msg/Pose";
  Point position = {};
  Quaternion orientation = {};

  static void fields(auto& m, auto& visit) {
    visit("position", m.position);
    visit("orientation", m.orientation);
  }
  bool operator==(const Pose&) const = default;
};

struct Pose2D {
  static constexpr const char* kType = "geometry_msgs/msg/Pose2D";
  double x = 0.0;
  double y = 0.0;
  double theta = 0.0;

  static void fields(auto& m, auto& visit) {
    visit("x", m.x);
    visit("y", m.y);
    visit("theta", m.theta);
  }
  bool operator==(const Pose2D&) const = default;
};

struct PoseWithCovariance {
  static constexpr const char* kType = "geometry_msgs/msg/PoseWithCovariance";
  Pose pose = {};
  std::array<double, 36> covariance = {};

  static void fields(auto& m, auto& visit) {
    visit("pose", m.pose);
    visit("covariance", m.covariance);
  }
  bool operator==(const PoseWithCovariance&) const = default;
};

struct Twist {
  static constexpr const char* kType = "geometry_msgs/msg/Twist";
  Vector3 linear = {};
  Vector3 angular = {};

  static void fields(auto& m, auto& visit) {
    visit("linear", m.linear);
    visit("angular", m.angular);
  }
  bool operator==(const Twist&) const = default;
};

struct TwistWithCovariance {
  static constexpr const char* kType = "geometry_msgs/msg/TwistWithCovariance";
  Twist twist = {};
  std::array<double, 36> covariance = {};

  static void fields(auto& m, auto& visit) {
    visit("twist", m.twist);
    visit("covariance", m.covariance);
  }
  bool operator==(const TwistWithCovariance&) const = default;
};

struct Accel {
  static constexpr const char* kType = "geometry_msgs/msg/Accel";
  Vector3 linear = {};
  Vector3 angular = {};

  static void fields(auto& m, auto& visit) {
    visit("linear", m.linear);
    visit("angular", m.angular);
  }
  bool operator==(const Accel&) const = default;
};

struct AccelWithCovariance {
  static constexpr const char* kType = "geometry_msgs/msg/AccelWithCovariance";
  Accel accel = {};
  std::array<double, 36> covariance = {};

  static void fields(auto& m, auto& visit) {
    visit("accel", m.accel);
    visit("covariance", m.covariance);
  }
  bool operator==(const AccelWithCovariance&) const = default;
};

struct Transform {
  static constexpr const char* kType = "geometry_msgs/msg/Transform";
  Vector3 translation = {};
  Quaternion rotation = {};

  static void fields(auto& m, auto& visit) {
    visit("translation", m.translation);
    visit("rotation", m.rotation);
  }
  bool operator==(const Transform&) const = default;
};

}  // namespace ovf::ros
