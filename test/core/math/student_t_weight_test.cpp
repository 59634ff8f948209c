#include "ovf/math/student_t_weight.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ovf/math/student_t.hpp"

namespace ovf {
namespace {

struct Case {
  double nu;
  std::vector<double> means;
  std::vector<double> variances;
};

// The same expectations by the marginal density of w: E[tau | w] = (nu + k) / (nu + |w|^2), and
// E[log tau - tau] from d log p(w) / d nu, on a fine grid over w.
struct BruteForce {
  explicit BruteForce(const Case& c) {
    const double k = static_cast<double>(c.means.size());
    double total = 0.0;
    const auto add = [&](double log_prior, const Eigen::VectorXd& w) {
      const double square = w.squaredNorm();
      const double weight = std::exp(log_prior - 0.5 * (c.nu + k) * std::log1p(square / c.nu));
      const double tau = (c.nu + k) / (c.nu + square);
      products += weight * tau * w * w.transpose();
      // tau given w is Gamma((nu + k) / 2, (nu + |w|^2) / 2).
      log_less_value +=
          weight * (digamma(0.5 * (c.nu + k)) - std::log(0.5 * (c.nu + square)) - tau);
      total += weight;
    };
    const auto place = [&](std::size_t i, double z) {
      return c.means[i] + std::sqrt(c.variances[i]) * z;
    };
    products.setZero(c.means.size(), c.means.size());
    constexpr double kStep = 0.02;
    for (double a = -8.0; a <= 8.0; a += kStep) {
      if (c.means.size() == 1) {
        add(-0.5 * a * a, Eigen::VectorXd::Constant(1, place(0, a)));
        continue;
      }
      for (double b = -8.0; b <= 8.0; b += kStep) {
        add(-0.5 * (a * a + b * b), Eigen::Vector2d(place(0, a), place(1, b)));
      }
    }
    products /= total;
    log_less_value /= total;
  }
  Eigen::MatrixXd products;
  double log_less_value = 0.0;
};

TEST(StudentTWeight, HasThePosteriorExpectations) {
  for (const Case& c : {Case{4.0, {0.5}, {0.3}}, Case{1.0, {3.0}, {0.1}}, Case{1.0, {8.0}, {2.0}},
                        Case{30.0, {0.1}, {1.5}}, Case{4.0, {20.0}, {1.0}},
                        Case{3.0, {0.5, -2.0}, {0.2, 1.0}}, Case{150.0, {1.0, 2.0}, {0.5, 0.1}}}) {
    const Eigen::Map<const Eigen::ArrayXd> means(c.means.data(),
                                                 static_cast<Eigen::Index>(c.means.size()));
    const Eigen::Map<const Eigen::ArrayXd> variances(c.variances.data(), means.size());
    const BruteForce expected(c);
    // A centre that is somewhat off, as that of a mean field is.
    const double k = static_cast<double>(c.means.size());
    const double centre = 1.3 * (c.nu + k) / (c.nu + means.square().sum() + variances.sum());
    StudentTWeight weight;
    weight.assign(c.nu, means, variances, centre);
    EXPECT_TRUE(weight.weighted_products().isApprox(expected.products, 2e-3))
        << c.nu << "\n"
        << weight.weighted_products() << "\n"
        << expected.products;
    EXPECT_NEAR(weight.log_less_value(), expected.log_less_value,
                2e-3 * std::abs(expected.log_less_value))
        << c.nu;
  }
}

}  // namespace
}  // namespace ovf
