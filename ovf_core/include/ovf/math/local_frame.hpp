#pragma once

#include <Eigen/Core>

namespace ovf {

/// A place on the WGS84 ellipsoid: degrees, and metres above the ellipsoid.
struct GeodeticPoint {
  double latitude = 0.0;
  double longitude = 0.0;
  double altitude = 0.0;
};

/// Earth-centred, earth-fixed coordinates in metres.
Eigen::Vector3d to_earth_centred(const GeodeticPoint& point);
GeodeticPoint to_geodetic(const Eigen::Vector3d& earth_centred);

/// Metres east, north and up of an origin, in the plane that touches the ellipsoid there.
class LocalFrame {
 public:
  /// Throws std::invalid_argument on a number that is not finite or a latitude beyond the poles.
  explicit LocalFrame(const GeodeticPoint& origin);

  const GeodeticPoint& origin() const { return origin_; }
  Eigen::Vector3d to_local(const GeodeticPoint& point) const;
  GeodeticPoint to_geodetic(const Eigen::Vector3d& local) const;

 private:
  GeodeticPoint origin_;
  Eigen::Vector3d centre_;    // the origin, earth-centred
  Eigen::Matrix3d to_local_;  // rows: east, north, up
};

}  // namespace ovf
