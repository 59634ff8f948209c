#pragma once

#include <Eigen/Core>

namespace ovf {

/// A Student-t in k dimensions is a Gaussian N(0, I / tau) whose precision tau is unknown,
/// tau ~ Gamma(nu/2, nu/2). Its posterior given w = N(means, variances) (independent components,
/// before this observation), by quadrature over log tau: given tau all is Gaussian.
class StudentTWeight {
 public:
  static constexpr int kNodes = 32;

  /// `centre`: about where tau is.
  void assign(double nu, const Eigen::ArrayXd& means, const Eigen::ArrayXd& variances,
              double centre);

  /// E[log tau - tau].
  double log_less_value() const { return log_less_value_; }
  /// E[tau w w'].
  const Eigen::MatrixXd& weighted_products() const { return products_; }

 private:
  using Nodes = Eigen::Array<double, kNodes, 1>;
  double log_less_value_ = 0.0;
  Eigen::MatrixXd products_;
  Eigen::Array<double, kNodes, Eigen::Dynamic> shrunk_;  // 1 / (1 + v tau), component by component
};

}  // namespace ovf
