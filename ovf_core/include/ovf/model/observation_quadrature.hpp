#pragma once

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include "ovf/math/cubature.hpp"
#include "ovf/model/observation.hpp"

namespace ovf {

/// E_q[log g] and its derivatives of g itself, by quadrature along the directions of the state that
/// g depends on: tensor Gauss-Hermite for up to three of them, quasi-Monte-Carlo for more.
/// The directions are those of the gradients at the cubature points of q.
class ObservationQuadrature {
 public:
  void derivatives(const Observation& observation, const Eigen::VectorXd& y, const Gaussian& q,
                   ExpectedDerivatives& out);

 private:
  void find_directions(const Observation& observation, const Eigen::VectorXd& y, const Gaussian& q);

  Cubature cubature_;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes_;
  Eigen::MatrixXd directions_;  // state x directions, whitened
  Eigen::MatrixXd points_, gradients_, along_, products_, scratch_;
  Eigen::VectorXd values_;
};

}  // namespace ovf
