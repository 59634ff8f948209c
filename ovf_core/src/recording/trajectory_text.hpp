#pragma once

#include <string>

#include "ovf/estimator/body_belief.hpp"
#include "ovf/estimator/estimator.hpp"

namespace ovf {

/// Whether there is a new pose to write after a message.
inline bool moved_belief(const EstimatorResult& result) {
  return result.outcome == Outcome::kUsed || result.outcome == Outcome::kPredicted;
}

/// "stamp x y z qx qy qz qw\n", the stamp in seconds with all nine digits after its point.
std::string tum_line(Stamp stamp, const BodyBelief& body);

/// Of a trajectory.csv: pose, velocity and turn rate in the body frame, standard deviations.
inline constexpr const char* kTrajectoryHeader =
    "stamp,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz,x_deviation,y_deviation,z_deviation,"
    "yaw_deviation\n";
std::string trajectory_line(Stamp stamp, const BodyBelief& body);

}  // namespace ovf
