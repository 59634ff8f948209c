#pragma once

#include <Eigen/Core>
#include <filesystem>

#include "ovf/evaluation/csv_matrix.hpp"
#include "ovf/model/linear_gaussian.hpp"

namespace ovf {

/// A random matrix with eigenvalues in (0.5, 1), as in Appendix B.1: diagonal, or rotated.
Eigen::MatrixXd random_stable_matrix(int dim, bool full, RandomStream& random);

/// The model of Section 5.1 with random F and G: U and V are multiples of the identity, x_1 ~ N(0,
/// I).
LinearGaussianSpec random_linear_gaussian(int dim, bool full, double process_variance,
                                          double observation_variance, RandomStream& random);

/// A problem of parameter learning: the truth, where learning starts, and what was observed
/// (columns).
struct LinearGaussianProblem {
  LinearGaussianSpec truth;
  LinearGaussianSpec start;
  Eigen::MatrixXd observations;
};

/// Figure 1b: diagonal F and G, started at an independent draw.
LinearGaussianProblem random_learning_problem(int dim, int steps, std::uint64_t seed);

/// The same from a folder with F_diag.csv, G_diag.csv, U_diag.csv, V_diag.csv, F_init_diag.csv,
/// G_init_diag.csv and y_data.csv (a row per observation); at most `steps` observations are kept.
/// Throws std::runtime_error naming the file and what is wrong with it.
LinearGaussianProblem load_learning_problem(const std::filesystem::path& folder, int steps);

}  // namespace ovf
