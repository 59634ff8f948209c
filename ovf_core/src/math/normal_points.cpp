#include "ovf/math/normal_points.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>

#include "ovf/math/gauss_hermite.hpp"

namespace ovf {
namespace {

// Nodes for each dimension of a tensor.
constexpr int kNodes[] = {40, 20, 10};
constexpr int kMinPairs = 256;
constexpr int kPairsPerDimension = 8;

NormalPoints tensor(int dim) {
  const GaussHermite rule = gauss_hermite(kNodes[dim - 1]);
  const Eigen::Index n = rule.nodes.size();
  Eigen::Index count = 1;
  for (int k = 0; k < dim; ++k) count *= n;
  NormalPoints out{Eigen::MatrixXd(dim, count), Eigen::VectorXd::Ones(count)};
  for (Eigen::Index i = 0; i < count; ++i) {
    Eigen::Index rest = i;
    for (int k = 0; k < dim; ++k, rest /= n) {
      out.points(k, i) = rule.nodes[rest % n];
      out.weights[i] *= rule.weights[rest % n];
    }
  }
  return out;
}

// The generalised golden ratio: steps by its powers fill a cube evenly.
double golden_ratio(int dim) {
  double x = 2.0;
  for (int i = 0; i < 64; ++i) x = std::pow(1.0 + x, 1.0 / (dim + 1.0));
  return x;
}

NormalPoints quasi_monte_carlo(int dim) {
  const int pairs = std::max(kMinPairs, kPairsPerDimension * dim);
  const int uniforms = dim + dim % 2;
  const double ratio = golden_ratio(uniforms);
  Eigen::MatrixXd z(uniforms, pairs);
  for (int i = 0; i < pairs; ++i) {
    double step = 1.0;
    for (int k = 0; k < uniforms; ++k) {
      step /= ratio;
      double whole = 0.0;
      z(k, i) = std::modf(0.5 + (i + 1) * step, &whole);
    }
    // Box and Muller: two uniform numbers are two normal ones.
    for (int k = 0; k < uniforms; k += 2) {
      const double radius = std::sqrt(-2.0 * std::log(std::max(z(k, i), 1e-12)));
      const double angle = 2.0 * std::numbers::pi * z(k + 1, i);
      z(k, i) = radius * std::cos(angle);
      z(k + 1, i) = radius * std::sin(angle);
    }
  }
  NormalPoints out{Eigen::MatrixXd(dim, 2 * pairs),
                   Eigen::VectorXd::Constant(2 * pairs, 0.5 / pairs)};
  const Eigen::MatrixXd half = z.topRows(dim);
  const Eigen::LLT<Eigen::MatrixXd> covariance(half * half.transpose() / pairs);
  out.points.leftCols(pairs) = covariance.matrixL().solve(half);
  out.points.rightCols(pairs) = -out.points.leftCols(pairs);
  return out;
}

NormalPoints fifth_degree(int dim) {
  const double radius = std::sqrt(3.0);
  const double d = dim;
  NormalPoints out{Eigen::MatrixXd::Zero(dim, 2 * dim * dim + 1),
                   Eigen::VectorXd::Constant(2 * dim * dim + 1, 1.0 / 36.0)};
  out.weights[0] = 1.0 + (d * d - 7.0 * d) / 18.0;
  Eigen::Index column = 1;
  for (int i = 0; i < dim; ++i) {
    for (const double sign : {1.0, -1.0}) {
      out.weights[column] = (4.0 - d) / 18.0;
      out.points(i, column++) = sign * radius;
    }
  }
  for (int i = 0; i < dim; ++i) {
    for (int j = 0; j < i; ++j) {
      for (const double first : {1.0, -1.0}) {
        for (const double second : {1.0, -1.0}) {
          out.points(i, column) = first * radius;
          out.points(j, column++) = second * radius;
        }
      }
    }
  }
  return out;
}

// Rules by dimension, each computed once.
class RuleCache {
 public:
  template <typename Make>
  const NormalPoints& get(int dim, const Make& make) {
    const std::lock_guard lock(mutex_);
    auto& entry = rules_[dim];
    if (!entry) entry = std::make_unique<const NormalPoints>(make(dim));
    return *entry;
  }

 private:
  std::mutex mutex_;
  std::map<int, std::unique_ptr<const NormalPoints>> rules_;
};

}  // namespace

const NormalPoints& normal_points(int dim) {
  static RuleCache cache;
  return cache.get(dim, dim <= 3 ? tensor : quasi_monte_carlo);
}

const NormalPoints& fifth_degree_points(int dim) {
  static RuleCache cache;
  return cache.get(dim, fifth_degree);
}

}  // namespace ovf
