#include "ovf/model/linear_sensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "ovf/model/linear_mean.hpp"

namespace ovf {

std::unique_ptr<MeanFunction> make_linear_sensor_mean(int state_dim,
                                                      const std::vector<int>& indices,
                                                      const Eigen::MatrixXd& matrix,
                                                      const Eigen::VectorXd& offset) {
  if (matrix.cols() != static_cast<Eigen::Index>(indices.size())) {
    throw std::invalid_argument(fmt::format(
        "linear sensor: its matrix has {} columns; expected {}, one for each entry of the state",
        matrix.cols(), indices.size()));
  }
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(matrix.rows(), state_dim);
  std::vector<bool> taken(static_cast<std::size_t>(state_dim), false);
  for (std::size_t k = 0; k < indices.size(); ++k) {
    const int i = indices[k];
    if (i < 0 || i >= state_dim || taken[static_cast<std::size_t>(i)]) {
      throw std::invalid_argument(fmt::format(
          "linear sensor: it sees entry {} of the state; expected each of 0 to {} once at most", i,
          state_dim - 1));
    }
    taken[static_cast<std::size_t>(i)] = true;
    A.col(i) = matrix.col(static_cast<Eigen::Index>(k));
  }
  return std::make_unique<LinearMean>(LinearMean::Spec{.A = A, .b = offset});
}

std::unique_ptr<MeanFunction> make_selecting_sensor_mean(int state_dim,
                                                         const std::vector<int>& indices) {
  const auto count = static_cast<Eigen::Index>(indices.size());
  return make_linear_sensor_mean(state_dim, indices, Eigen::MatrixXd::Identity(count, count));
}

std::unique_ptr<MeanFunction> make_joint_sensor_mean(const JointMotion& motion, int state_dim,
                                                     const std::vector<std::string>& joints,
                                                     JointReading reading) {
  std::vector<int> positions;
  std::vector<int> velocities;
  for (const std::string& joint : joints) {
    const auto found = std::find(motion.joints().begin(), motion.joints().end(), joint);
    if (found == motion.joints().end()) {
      throw std::invalid_argument(
          fmt::format("joint sensor: there is no joint {} in the motion", joint));
    }
    positions.push_back(static_cast<int>(found - motion.joints().begin()));
    velocities.push_back(positions.back() + motion.joint_count());
  }
  if (reading == JointReading::kVelocities) positions.clear();
  if (reading != JointReading::kPositions) {
    positions.insert(positions.end(), velocities.begin(), velocities.end());
  }
  return make_selecting_sensor_mean(state_dim, positions);
}

}  // namespace ovf
