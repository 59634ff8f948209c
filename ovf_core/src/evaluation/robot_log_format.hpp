#pragma once

#include <algorithm>
#include <string_view>

#include "evaluation/table_reader.hpp"

namespace ovf {

inline constexpr const char* kControlsFile = "controls.csv";
inline constexpr const char* kMeasurementsFile = "measurements.csv";
inline constexpr const char* kLandmarksFile = "landmarks.csv";
inline constexpr const char* kTruthFile = "truth.csv";

inline constexpr const char* kControlsHeader = "stamp,size,u...";
inline constexpr const char* kMeasurementsHeader = "stamp,sensor,target,size,y...,covariance...";
inline constexpr const char* kLandmarksHeader = "id,x,y,z";
inline constexpr const char* kTruthHeader = "stamp,x,y,yaw";

/// Of u and y; a line with a covariance of this size is within kLongestTableLine.
inline constexpr int kMostMessageNumbers = 64;

inline bool is_sensor_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '/';
  });
}

}  // namespace ovf
