#include "ovf/math/gauss_hermite.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <stdexcept>

namespace ovf {
namespace {

constexpr int kMostNodes = 128;

// 1 / sum_k h_k(x)^2 over the first n orthonormal Hermite polynomials (Christoffel). Keeps the
// relative accuracy of the smallest weights, which the eigenvectors of Golub and Welsch lose.
double christoffel_weight(double x, int n) {
  double last = 0.0;
  double current = 1.0;
  double sum = 1.0;
  for (int k = 1; k < n; ++k) {
    const double next = (x * current - std::sqrt(k - 1.0) * last) / std::sqrt(k);
    last = current;
    current = next;
    sum += current * current;
  }
  return 1.0 / sum;
}

}  // namespace

GaussHermite gauss_hermite(int n) {
  if (n < 1 || n > kMostNodes) {
    throw std::invalid_argument(
        fmt::format("Gauss-Hermite quadrature of {} points; expected 1 to {}", n, kMostNodes));
  }
  // Golub and Welsch: the nodes are the eigenvalues of the recurrence's tridiagonal matrix.
  const Eigen::VectorXd diagonal = Eigen::VectorXd::Zero(n);
  const Eigen::VectorXd off_diagonal = Eigen::VectorXd::LinSpaced(n - 1, 1.0, n - 1.0).cwiseSqrt();
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, off_diagonal, Eigen::EigenvaluesOnly);
  GaussHermite rule{solver.eigenvalues(), Eigen::VectorXd(n)};
  rule.nodes = (0.5 * (rule.nodes - rule.nodes.reverse())).eval();
  for (int k = 0; k < n; ++k) rule.weights[k] = christoffel_weight(rule.nodes[k], n);
  return rule;
}

}  // namespace ovf
