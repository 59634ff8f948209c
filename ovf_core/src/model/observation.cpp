#include "ovf/model/observation.hpp"

#include <cmath>
#include <stdexcept>

namespace ovf {

void Observation::expected_derivatives(const Eigen::VectorXd& y, const Gaussian& q,
                                       ExpectedDerivatives& out) const {
  const Eigen::Index d = q.dim();
  const double radius = std::sqrt(static_cast<double>(d));
  Eigen::MatrixXd points(d, 2 * d);
  points << q.factor.lower() * radius, q.factor.lower() * -radius;
  points.colwise() += q.mean;
  Eigen::VectorXd values;
  Eigen::MatrixXd gradients;
  log_density(y, points, values);
  gradient(y, points, gradients);
  out.value = values.mean();
  out.gradient = gradients.rowwise().mean();
  // Stein: E[hess] = E[grad z'] L^-1, and E[grad z_k] is a difference along axis k of q.
  Eigen::MatrixXd products = (gradients.rightCols(d) - gradients.leftCols(d)).transpose();
  products /= 2.0 * radius;
  q.factor.unwhiten_transposed(products);
  out.curvature = 0.5 * (products + products.transpose());
}

InnovationSize Observation::innovation(const Eigen::VectorXd& /*y*/, const Gaussian& /*prediction*/,
                                       Eigen::VectorXd& /*out*/) const {
  throw std::logic_error("this observation does not measure its innovations itself; linearise it");
}

void Observation::coordinate_log_density(const Eigen::VectorXd& /*y*/, int /*i*/,
                                         const Eigen::ArrayXd& /*x*/,
                                         Eigen::ArrayXd& /*out*/) const {
  throw std::logic_error("this observation's density is no sum over coordinates of the state");
}

Observation::Peak Observation::coordinate_peak(const Eigen::VectorXd& /*y*/, int /*i*/) const {
  throw std::logic_error("this observation's density is no sum over coordinates of the state");
}

void Observation::expected_scores(const Eigen::VectorXd& /*y*/, const AffineVariable& /*at*/,
                                  int /*first*/, QuadraticFunctions& /*out*/) const {
  throw std::logic_error("this observation has no closed-form scores; use a regressed score");
}

void Observation::sensitivity(const Gaussian& /*at*/, Sensitivity& /*out*/) const {
  throw std::logic_error("this observation has no closed-form scores; use a regressed score");
}

}  // namespace ovf
