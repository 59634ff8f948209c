#pragma once

#include <cstdint>

#include "ovf/evaluation/linear_gaussian_problem.hpp"
#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/model/linear_gaussian.hpp"

namespace ovf::test {

inline Eigen::MatrixXd random_covariance(int dim, bool full, double scale, RandomStream& random) {
  const Eigen::MatrixXd root = random_stable_matrix(dim, full, random);
  return scale * root * root.transpose();
}

/// A linear-Gaussian model with random F, G, U, V, nothing learned.
inline LinearGaussianSpec random_problem(int dim, bool full, std::uint64_t seed) {
  RandomStream random(seed, 77);
  LinearGaussianSpec spec;
  spec.prior = standard_gaussian(dim, CovarianceForm::kDiagonal);
  spec.F = random_stable_matrix(dim, full, random);
  spec.G = random_stable_matrix(dim, full, random);
  spec.U = random_covariance(dim, full, 0.01, random);
  spec.V = random_covariance(dim, full, 0.0625, random);
  return spec;
}

inline Eigen::MatrixXd observe(const LinearGaussianSpec& spec, int steps, std::uint64_t seed) {
  RandomStream random(seed, 78);
  return simulate(make_linear_gaussian(spec), steps, random).observations;
}

}  // namespace ovf::test
