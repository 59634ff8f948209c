#include "ovf/evaluation/linear_gaussian_problem.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <stdexcept>
#include <string>

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 100;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& reason) {
  throw std::runtime_error(fmt::format("{}: {}", path.string(), reason));
}

Eigen::VectorXd read_vector(const std::filesystem::path& path, Eigen::Index size) {
  const Eigen::MatrixXd matrix = read_csv_matrix(path);
  if (matrix.rows() != 1 && matrix.cols() != 1) {
    fail(path, fmt::format("has {} x {} numbers; expected one row or one column", matrix.rows(),
                           matrix.cols()));
  }
  if (size > 0 && matrix.size() != size) {
    fail(path, fmt::format("has {} numbers; expected {}", matrix.size(), size));
  }
  return matrix.reshaped();
}

}  // namespace

Eigen::MatrixXd random_stable_matrix(int dim, bool full, RandomStream& random) {
  Eigen::VectorXd values(dim);
  for (double& value : values) value = 0.5 + 0.5 * random.uniform();
  if (!full) return values.asDiagonal();
  Eigen::MatrixXd draws(dim, dim);
  random.fill_normal(draws);
  const Eigen::MatrixXd rotation = Eigen::HouseholderQR<Eigen::MatrixXd>(draws).householderQ();
  return rotation * values.asDiagonal() * rotation.transpose();
}

LinearGaussianSpec random_linear_gaussian(int dim, bool full, double process_variance,
                                          double observation_variance, RandomStream& random) {
  LinearGaussianSpec spec;
  spec.prior = standard_gaussian(dim, CovarianceForm::kDiagonal);
  spec.F = random_stable_matrix(dim, full, random);
  spec.G = random_stable_matrix(dim, full, random);
  spec.U = Eigen::MatrixXd::Identity(dim, dim) * process_variance;
  spec.V = Eigen::MatrixXd::Identity(dim, dim) * observation_variance;
  return spec;
}

LinearGaussianProblem random_learning_problem(int dim, int steps, std::uint64_t seed) {
  RandomStream random(seed, kStream);
  LinearGaussianProblem problem;
  problem.truth = random_linear_gaussian(dim, false, 0.1 * 0.1, 0.25 * 0.25, random);
  problem.start = problem.truth;
  problem.start.F = random_stable_matrix(dim, false, random);
  problem.start.G = random_stable_matrix(dim, false, random);
  problem.observations = simulate(make_linear_gaussian(problem.truth), steps, random).observations;
  return problem;
}

LinearGaussianProblem load_learning_problem(const std::filesystem::path& folder, int steps) {
  LinearGaussianProblem problem;
  const Eigen::VectorXd F = read_vector(folder / "F_diag.csv", 0);
  const auto d = F.size();
  const auto diagonal = [&](const char* name) -> Eigen::MatrixXd {
    return read_vector(folder / name, d).asDiagonal();
  };
  problem.truth.prior = standard_gaussian(static_cast<int>(d), CovarianceForm::kDiagonal);
  problem.truth.F = F.asDiagonal();
  problem.truth.G = diagonal("G_diag.csv");
  problem.truth.U = diagonal("U_diag.csv");
  problem.truth.V = diagonal("V_diag.csv");
  problem.start = problem.truth;
  problem.start.F = diagonal("F_init_diag.csv");
  problem.start.G = diagonal("G_init_diag.csv");
  const auto path = folder / "y_data.csv";
  const Eigen::MatrixXd rows = read_csv_matrix(path);
  if (rows.cols() != d) fail(path, fmt::format("has {} columns; expected {}", rows.cols(), d));
  problem.observations = rows.topRows(std::min<Eigen::Index>(rows.rows(), steps)).transpose();
  return problem;
}

}  // namespace ovf
