#include "ovf/math/local_frame.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace ovf {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
// WGS84.
constexpr double kEquatorRadius = 6378137.0;
constexpr double kFlattening = 1.0 / 298.257223563;
constexpr double kPoleRadius = kEquatorRadius * (1.0 - kFlattening);
constexpr double kSquaredEccentricity = kFlattening * (2.0 - kFlattening);
constexpr double kSecondSquaredEccentricity =
    kSquaredEccentricity / ((1.0 - kFlattening) * (1.0 - kFlattening));

// Bowring's iteration gains three digits and more with every turn from within 1e-3 rad near the
// ellipsoid; the rest is for places far above it.
constexpr int kTurns = 6;

// Radius of curvature across the meridian.
double transverse_radius(double sine) {
  return kEquatorRadius / std::sqrt(1.0 - kSquaredEccentricity * sine * sine);
}

}  // namespace

Eigen::Vector3d to_earth_centred(const GeodeticPoint& point) {
  const double latitude = kDegree * point.latitude;
  const double longitude = kDegree * point.longitude;
  const double sine = std::sin(latitude);
  const double radius = transverse_radius(sine);
  const double from_axis = (radius + point.altitude) * std::cos(latitude);
  return {from_axis * std::cos(longitude), from_axis * std::sin(longitude),
          ((1.0 - kSquaredEccentricity) * radius + point.altitude) * sine};
}

GeodeticPoint to_geodetic(const Eigen::Vector3d& earth_centred) {
  const double from_axis = std::hypot(earth_centred[0], earth_centred[1]);
  const double z = earth_centred[2];
  // The reduced latitude of the point's foot, then the latitude that belongs to it.
  double reduced = std::atan2(kEquatorRadius * z, kPoleRadius * from_axis);
  double latitude = 0.0;
  for (int turn = 0; turn < kTurns; ++turn) {
    const double sine = std::sin(reduced);
    const double cosine = std::cos(reduced);
    latitude =
        std::atan2(z + kSecondSquaredEccentricity * kPoleRadius * sine * sine * sine,
                   from_axis - kSquaredEccentricity * kEquatorRadius * cosine * cosine * cosine);
    reduced = std::atan2((1.0 - kFlattening) * std::sin(latitude), std::cos(latitude));
  }
  const double sine = std::sin(latitude);
  const double altitude = from_axis * std::cos(latitude) + z * sine -
                          kEquatorRadius * std::sqrt(1.0 - kSquaredEccentricity * sine * sine);
  return {latitude / kDegree, std::atan2(earth_centred[1], earth_centred[0]) / kDegree, altitude};
}

LocalFrame::LocalFrame(const GeodeticPoint& origin)
    : origin_(origin), centre_(to_earth_centred(origin)) {
  if (!centre_.allFinite() || std::abs(origin.latitude) > 90.0) {
    throw std::invalid_argument(
        fmt::format("local frame: its origin is latitude {}, longitude {}, altitude {}; expected "
                    "finite numbers and a latitude from -90 to 90 degrees",
                    origin.latitude, origin.longitude, origin.altitude));
  }
  const double latitude = kDegree * origin.latitude;
  const double longitude = kDegree * origin.longitude;
  const Eigen::Vector3d east(-std::sin(longitude), std::cos(longitude), 0.0);
  const Eigen::Vector3d up(std::cos(latitude) * std::cos(longitude),
                           std::cos(latitude) * std::sin(longitude), std::sin(latitude));
  to_local_ << east.transpose(), up.cross(east).transpose(), up.transpose();
}

Eigen::Vector3d LocalFrame::to_local(const GeodeticPoint& point) const {
  return to_local_ * (to_earth_centred(point) - centre_);
}

GeodeticPoint LocalFrame::to_geodetic(const Eigen::Vector3d& local) const {
  return ovf::to_geodetic(centre_ + to_local_.transpose() * local);
}

}  // namespace ovf
