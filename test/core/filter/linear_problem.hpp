#pragma once

#include <Eigen/QR>
#include <cstdint>

#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/model/linear_gaussian.hpp"

namespace ovf::test {

/// A stable random matrix with eigenvalues in (0.5, 1): diagonal, or rotated.
inline Eigen::MatrixXd random_matrix(int dim, bool full, RandomStream& random) {
  Eigen::VectorXd values(dim);
  for (double& value : values) value = 0.5 + 0.5 * random.uniform();
  if (!full) return values.asDiagonal();
  Eigen::MatrixXd draws(dim, dim);
  random.fill_normal(draws);
  const Eigen::MatrixXd rotation = Eigen::HouseholderQR<Eigen::MatrixXd>(draws).householderQ();
  return rotation * values.asDiagonal() * rotation.transpose();
}

inline Eigen::MatrixXd random_covariance(int dim, bool full, double scale, RandomStream& random) {
  const Eigen::MatrixXd root = random_matrix(dim, full, random);
  return scale * root * root.transpose();
}

/// A linear-Gaussian model with random F, G, U, V, nothing learned.
inline LinearGaussianSpec random_problem(int dim, bool full, std::uint64_t seed) {
  RandomStream random(seed, 77);
  LinearGaussianSpec spec;
  spec.prior = standard_gaussian(dim, CovarianceForm::kDiagonal);
  spec.F = random_matrix(dim, full, random);
  spec.G = random_matrix(dim, full, random);
  spec.U = random_covariance(dim, full, 0.01, random);
  spec.V = random_covariance(dim, full, 0.0625, random);
  return spec;
}

inline Eigen::MatrixXd observe(const LinearGaussianSpec& spec, int steps, std::uint64_t seed) {
  RandomStream random(seed, 78);
  return simulate(make_linear_gaussian(spec), steps, random).observations;
}

}  // namespace ovf::test
