#include "ovf/estimator/body_belief.hpp"

#include <algorithm>
#include <vector>

namespace ovf {
namespace {

using Column = Eigen::Matrix<double, 12, 1>;

// How the body moves with one number of the state.
Column derivative(const Kinematics<Dual>& body, int i) {
  Eigen::Matrix3d rotation;
  Eigen::Matrix3d change;
  Column out;
  for (int row = 0; row < 3; ++row) {
    out[row] = body.position[row].derivatives()[i];
    out[6 + row] = body.velocity[row].derivatives()[i];
    out[9 + row] = body.rate[row].derivatives()[i];
    for (int column = 0; column < 3; ++column) {
      rotation(row, column) = body.rotation(row, column).value();
      change(row, column) = body.rotation(row, column).derivatives()[i];
    }
  }
  // dR R^T is the skew matrix of the turn about the world's axes.
  const Eigen::Matrix3d turn = change * rotation.transpose();
  out.segment<3>(3) << turn(2, 1), turn(0, 2), turn(1, 0);
  return out;
}

}  // namespace

BodyBelief body_belief(const Motion& motion, const Eigen::Quaterniond& reference,
                       const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance) {
  StepInput input;
  input.last_reference = input.reference = reference;
  const auto dim = static_cast<int>(covariance.rows());
  Eigen::Matrix<double, 12, Eigen::Dynamic> slope(12, dim);
  std::vector<Dual> state(static_cast<std::size_t>(mean.size()));
  for (int first = 0; first < dim; first += kDualDerivatives) {
    const int count = std::min(kDualDerivatives, dim - first);
    for (int i = 0; i < static_cast<int>(mean.size()); ++i) {
      Dual& dual = state[static_cast<std::size_t>(i)];
      dual.value() = mean[i];
      dual.derivatives().setZero();
      if (i >= first && i < first + count) dual.derivatives()[i - first] = 1.0;
    }
    const Kinematics<Dual> body = motion.kinematics(input, state.data());
    for (int i = 0; i < count; ++i) slope.col(first + i) = derivative(body, i);
  }
  BodyBelief out;
  out.mean = motion.kinematics(input, mean.data());
  out.pose_covariance = slope.topRows<6>() * covariance * slope.topRows<6>().transpose();
  out.twist_covariance = slope.bottomRows<6>() * covariance * slope.bottomRows<6>().transpose();
  return out;
}

}  // namespace ovf
