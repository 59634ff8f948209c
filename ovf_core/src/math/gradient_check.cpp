#include "ovf/math/gradient_check.hpp"

namespace ovf {

Eigen::MatrixXd numerical_jacobian(
    const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& function,
    const Eigen::VectorXd& at, double step) {
  Eigen::MatrixXd jacobian;
  Eigen::VectorXd x = at;
  for (Eigen::Index i = 0; i < at.size(); ++i) {
    x[i] = at[i] + step;
    const Eigen::VectorXd above = function(x);
    x[i] = at[i] - step;
    const Eigen::VectorXd below = function(x);
    x[i] = at[i];
    if (i == 0) jacobian.resize(above.size(), at.size());
    jacobian.col(i) = (above - below) / (2.0 * step);
  }
  return jacobian;
}

Eigen::VectorXd numerical_gradient(const std::function<double(const Eigen::VectorXd&)>& function,
                                   const Eigen::VectorXd& at, double step) {
  return numerical_jacobian(
             [&](const Eigen::VectorXd& x) { return Eigen::VectorXd::Constant(1, function(x)); },
             at, step)
      .transpose();
}

}  // namespace ovf
