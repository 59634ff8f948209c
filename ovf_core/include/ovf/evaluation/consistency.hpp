#pragma once

#include <limits>
#include <vector>

#include "ovf/evaluation/trajectory_match.hpp"

namespace ovf {

struct Band {
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();

  bool contains(double value) const { return value >= low && value <= high; }
};

/// Where the mean of this many independent chi-square values, each divided by its degrees of
/// freedom, lies with a probability of 95 %, half of the rest on either side. NaN for none.
Band mean_band(double count, double degrees);

/// Which errors are held against their covariance.
enum class NeesKind {
  kPlanarPosition,  ///< x, y
  kPlanarPose,      ///< x, y, yaw
  kPosition,        ///< x, y, z
  kAttitude,        ///< small turns about the world's axes
  kPose,            ///< x, y, z and small turns about the world's axes
};
int degrees_of_freedom(NeesKind kind);
/// "x, y, yaw".
const char* to_string(NeesKind kind);
/// Those that make sense for a match, that of the position first. In space also that of x and y
/// alone, because heights are often hardly observable.
std::vector<NeesKind> nees_kinds(const TrajectoryMatch& match);

struct NeesPoint {
  Stamp stamp = 0;
  double nees = 0.0;
};

/// Errors squared in units of their covariance (NEES): is the stated uncertainty right? Without
/// samples all figures are NaN.
struct Nees {
  NeesKind kind = NeesKind::kPlanarPosition;
  long count = 0;
  /// Pairs without a covariance, or with one that is not positive definite, or without a true
  /// orientation where it is needed.
  long left_out = 0;
  /// Mean over degrees of freedom: 1 is right, more is too sure, less is too careful.
  double anees = std::numeric_limits<double>::quiet_NaN();
  Band band = {};  ///< if the samples were independent, which errors of a filter are not
  /// As many independent samples as these are worth, and the band of so many: this one to judge by.
  /// Below about 20 the run is too short to judge, and the band is too narrow.
  double effective_count = 0.0;
  Band effective_band = {};
  /// Shares of samples within the ellipses of 50, 90 and 95 %.
  double coverage50 = std::numeric_limits<double>::quiet_NaN();
  double coverage90 = std::numeric_limits<double>::quiet_NaN();
  double coverage95 = std::numeric_limits<double>::quiet_NaN();
  std::vector<NeesPoint> series = {};
};

Nees nees(const TrajectoryMatch& match, NeesKind kind);

}  // namespace ovf
