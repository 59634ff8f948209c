#include "ovf/math/student_t_weight.hpp"

#include <cmath>

namespace ovf {
namespace {

// The nodes reach so many standard deviations of log tau below and above the centre; below, its
// density falls no faster than tau^(shape), so small shapes need more.
constexpr double kBelow = 7.0;
constexpr double kAbove = 5.0;

}  // namespace

void StudentTWeight::assign(double nu, const Eigen::ArrayXd& means, const Eigen::ArrayXd& variances,
                            double centre) {
  const double shape = 0.5 * (nu + static_cast<double>(means.size()));
  const double deviation = 1.0 / std::sqrt(shape);
  const double low = std::log(centre) - kBelow * deviation * (1.0 + deviation);
  const double high = std::log(centre) + kAbove * deviation;
  const Nodes logs = Nodes::LinSpaced(low, high);
  const Nodes taus = logs.exp();
  // log of Gamma(tau; nu/2, nu/2) tau times the density of each mean, N(0, v + 1 / tau).
  Nodes weights = 0.5 * nu * (logs - taus);
  shrunk_.resize(kNodes, means.size());
  for (Eigen::Index i = 0; i < means.size(); ++i) {
    shrunk_.col(i) = (1.0 + variances[i] * taus).inverse();
    const Nodes precision = taus * shrunk_.col(i);
    weights += 0.5 * (precision.log() - means[i] * means[i] * precision);
  }
  weights = (weights - weights.maxCoeff()).exp();
  weights /= weights.sum();
  log_less_value_ = (weights * (logs - taus)).sum();
  // w_i given tau: mean m / (1 + v tau), variance v / (1 + v tau).
  weights *= taus;
  products_.resize(means.size(), means.size());
  for (Eigen::Index i = 0; i < means.size(); ++i) {
    for (Eigen::Index j = 0; j < means.size(); ++j) {
      products_(i, j) = means[i] * means[j] * (weights * shrunk_.col(i) * shrunk_.col(j)).sum();
    }
    products_(i, i) += variances[i] * (weights * shrunk_.col(i)).sum();
  }
}

}  // namespace ovf
