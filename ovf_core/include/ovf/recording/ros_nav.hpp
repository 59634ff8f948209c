#pragma once

#include <string>
#include <vector>

#include "ovf/recording/ros_geometry_stamped.hpp"

// nav_msgs, tf2_msgs.
namespace ovf::ros {

struct Odometry {
  static constexpr const char* kType = "nav_msgs/msg/Odometry";
  Header header = {};
  std::string child_frame_id = {};
  PoseWithCovariance pose = {};
  TwistWithCovariance twist = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("child_frame_id", m.child_frame_id);
    visit("pose", m.pose);
    visit("twist", m.twist);
  }
  bool operator==(const Odometry&) const = default;
};

struct Path {
  static constexpr const char* kType = "nav_msgs/msg/Path";
  Header header = {};
  std::vector<PoseStamped> poses = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("poses", m.poses);
  }
  bool operator==(const Path&) const = default;
};

struct TFMessage {
  static constexpr const char* kType = "tf2_msgs/msg/TFMessage";
  std::vector<TransformStamped> transforms = {};

  static void fields(auto& m, auto& visit) { visit("transforms", m.transforms); }
  bool operator==(const TFMessage&) const = default;
};

}  // namespace ovf::ros
