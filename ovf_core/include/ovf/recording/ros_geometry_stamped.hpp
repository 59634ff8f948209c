#pragma once

#include <string>
#include <vector>

#include "ovf/recording/ros_geometry.hpp"
#include "ovf/recording/ros_std.hpp"

// geometry_msgs with a header.
namespace ovf::ros {

struct Vector3Stamped {
  static constexpr const char* kType = "geometry_msgs/msg/Vector3Stamped";
  Header header = {};
  Vector3 vector = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("vector", m.vector);
  }
  bool operator==(const Vector3Stamped&) const = default;
};

struct PointStamped {
  static constexpr const char* kType = "geometry_msgs/msg/PointStamped";
  Header header = {};
  Point point = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("point", m.point);
  }
  bool operator==(const PointStamped&) const = default;
};

struct QuaternionStamped {
  static constexpr const char* kType = "geometry_msgs/msg/QuaternionStamped";
  Header header = {};
  Quaternion quaternion = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("quaternion", m.quaternion);
  }
  bool operator==(const QuaternionStamped&) const = default;
};

struct PoseStamped {
  static constexpr const char* kType = "geometry_msgs/msg/PoseStamped";
  Header header = {};
  Pose pose = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("pose", m.pose);
  }
  bool operator==(const PoseStamped&) const = default;
};

struct PoseArray {
  static constexpr const char* kType = "geometry_msgs/msg/PoseArray";
  Header header = {};
  std::vector<Pose> poses = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("poses", m.poses);
  }
  bool operator==(const PoseArray&) const = default;
};

struct PoseWithCovarianceStamped {
  static constexpr const char* kType = "geometry_msgs/msg/PoseWithCovarianceStamped";
  Header header = {};
  PoseWithCovariance pose = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("pose", m.pose);
  }
  bool operator==(const PoseWithCovarianceStamped&) const = default;
};

struct TwistStamped {
  static constexpr const char* kType = "geometry_msgs/msg/TwistStamped";
  Header header = {};
  Twist twist = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("twist", m.twist);
  }
  bool operator==(const TwistStamped&) const = default;
};

struct TwistWithCovarianceStamped {
  static constexpr const char* kType = "geometry_msgs/msg/TwistWithCovarianceStamped";
  Header header = {};
  TwistWithCovariance twist = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("twist", m.twist);
  }
  bool operator==(const TwistWithCovarianceStamped&) const = default;
};

struct AccelStamped {
  static constexpr const char* kType = "geometry_msgs/msg/AccelStamped";
  Header header = {};
  Accel accel = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("accel", m.accel);
  }
  bool operator==(const AccelStamped&) const = default;
};

struct AccelWithCovarianceStamped {
  static constexpr const char* kType = "geometry_msgs/msg/AccelWithCovarianceStamped";
  Header header = {};
  AccelWithCovariance accel = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("accel", m.accel);
  }
  bool operator==(const AccelWithCovarianceStamped&) const = default;
};

struct TransformStamped {
  static constexpr const char* kType = "geometry_msgs/msg/TransformStamped";
  Header header = {};
  std::string child_frame_id = {};
  Transform transform = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("child_frame_id", m.child_frame_id);
    visit("transform", m.transform);
  }
  bool operator==(const TransformStamped&) const = default;
};

}  // namespace ovf::ros
