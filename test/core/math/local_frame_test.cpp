#include "ovf/math/local_frame.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "math/random_inputs.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::contains;
using test::message_of;

TEST(LocalFrame, HasTheAxesOfTheEllipsoidAtEquatorAndPole) {
  EXPECT_TRUE(
      all_close(to_earth_centred({0.0, 0.0, 0.0}), Eigen::Vector3d(6378137.0, 0.0, 0.0), 1e-9));
  // The polar radius is 6356752.3142 m.
  EXPECT_NEAR(to_earth_centred({90.0, 0.0, 10.0}).z(), 6356762.3142, 1e-4);
}

TEST(LocalFrame, AgreesWithPublishedCoordinates) {
  // The worked example that other libraries test themselves with.
  const Eigen::Vector3d centred = to_earth_centred({42.0, -82.0, 200.0});
  EXPECT_NEAR(centred.x(), 660675.2518247, 1e-4);
  EXPECT_NEAR(centred.y(), -4700948.68316, 1e-4);
  EXPECT_NEAR(centred.z(), 4245737.66222, 1e-4);
  const LocalFrame frame({42.0, -82.0, 200.0});
  const Eigen::Vector3d local =
      frame.to_local({42.002581974253744, -81.99775196009507, 1139.7017925});
  EXPECT_NEAR(local.x(), 186.277521, 1e-4);
  EXPECT_NEAR(local.y(), 286.842228, 1e-4);
  EXPECT_NEAR(local.z(), 939.692621, 1e-4);
}

TEST(LocalFrame, FindsTheWayBackFromEverywhere) {
  for (double latitude = -90.0; latitude <= 90.0; latitude += 7.5) {
    for (double longitude = -172.5; longitude <= 172.5; longitude += 23.0) {
      for (const double altitude : {-400.0, 0.0, 90.0, 9000.0, 400000.0}) {
        const GeodeticPoint back = to_geodetic(to_earth_centred({latitude, longitude, altitude}));
        EXPECT_NEAR(back.latitude, latitude, 1e-12 * 90.0);
        // A nanometre apart; at a pole any longitude is right.
        if (std::abs(latitude) < 89.0) {
          EXPECT_NEAR(back.longitude, longitude, 1e-12 * 180.0);
        }
        EXPECT_NEAR(back.altitude, altitude, 1e-8);
      }
    }
  }
}

TEST(LocalFrame, FindsTheWayBackFromLocalCoordinates) {
  const LocalFrame frame({-33.9, 151.2, 58.0});
  for (const Eigen::Vector3d& local :
       {Eigen::Vector3d(0.0, 0.0, 0.0), Eigen::Vector3d(12.5, -700.0, 3.0),
        Eigen::Vector3d(-40000.0, 25000.0, 1500.0)}) {
    EXPECT_NEAR((frame.to_local(frame.to_geodetic(local)) - local).norm(), 0.0, 1e-8);
  }
}

TEST(LocalFrame, PointsEastNorthAndUp) {
  const GeodeticPoint origin{52.0, 13.0, 40.0};
  const LocalFrame frame(origin);
  EXPECT_NEAR(frame.to_local(origin).norm(), 0.0, 1e-9);
  EXPECT_NEAR((frame.to_local({52.0, 13.0, 50.0}) - Eigen::Vector3d(0.0, 0.0, 10.0)).norm(), 0.0,
              1e-8);
  // A second of arc: 30.90 m along the meridian of 52 degrees, 19.08 m along the parallel.
  const Eigen::Vector3d north = frame.to_local({52.0 + 1.0 / 3600.0, 13.0, 40.0});
  EXPECT_NEAR(north.y(), 30.90, 0.02);
  EXPECT_NEAR(north.x(), 0.0, 1e-8);
  const Eigen::Vector3d east = frame.to_local({52.0, 13.0 + 1.0 / 3600.0, 40.0});
  EXPECT_NEAR(east.x(), 19.08, 0.02);
  EXPECT_NEAR(east.y(), 0.0, 1e-3);
}

TEST(LocalFrame, RefusesAnOriginThatIsNoPlace) {
  EXPECT_TRUE(contains(message_of([] { LocalFrame({91.0, 0.0, 0.0}); }), "latitude 91"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(message_of([&] { LocalFrame({0.0, nan, 0.0}); }), "longitude nan"));
}

}  // namespace
}  // namespace ovf
