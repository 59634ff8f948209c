#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "ovf/model/joint_motion.hpp"
#include "ovf/model/mean_function.hpp"

namespace ovf {

/// y = matrix * (the entries of the state with these indices) + offset; an empty offset is zero.
/// Throws std::invalid_argument on an index that is outside the state or there twice, or on sizes
/// that do not agree.
std::unique_ptr<MeanFunction> make_linear_sensor_mean(int state_dim,
                                                      const std::vector<int>& indices,
                                                      const Eigen::MatrixXd& matrix,
                                                      const Eigen::VectorXd& offset = {});

/// y = the entries of the state with these indices.
std::unique_ptr<MeanFunction> make_selecting_sensor_mean(int state_dim,
                                                         const std::vector<int>& indices);

enum class JointReading { kPositions, kVelocities, kPositionsAndVelocities };

/// What encoders of some joints, in this order, show. Throws std::invalid_argument on a joint that
/// the motion does not have.
std::unique_ptr<MeanFunction> make_joint_sensor_mean(const JointMotion& motion, int state_dim,
                                                     const std::vector<std::string>& joints,
                                                     JointReading reading);

}  // namespace ovf
