#pragma once

#include <Eigen/Core>
#include <functional>

namespace ovf {

/// Central differences of a scalar function; error of order step^2.
Eigen::VectorXd numerical_gradient(const std::function<double(const Eigen::VectorXd&)>& function,
                                   const Eigen::VectorXd& at, double step = 1e-5);

/// Central differences of a vector function: rows are outputs, columns inputs.
Eigen::MatrixXd numerical_jacobian(
    const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& function,
    const Eigen::VectorXd& at, double step = 1e-5);

}  // namespace ovf
