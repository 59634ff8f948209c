#include "ovf/learning/second_order.hpp"

#include <algorithm>

namespace ovf {

SecondOrder::SecondOrder(const LearningConfig& config, int count)
    : retention_(config.retention),
      longest_step_(config.longest_step),
      precision_(Eigen::MatrixXd::Identity(count, count) /
                 (config.prior_deviation * config.prior_deviation)),
      factor_(precision_),
      whitened_(count) {}

void SecondOrder::step(const Eigen::VectorXd& gradient, const Eigen::MatrixXd& information,
                       Eigen::VectorXd& numbers) {
  precision_ *= retention_;
  if (information.size() == 0) {
    precision_.noalias() += gradient * gradient.transpose();
  } else {
    precision_ += information;
  }
  factor_.compute(precision_);
  if (factor_.info() != Eigen::Success) return;
  whitened_ = gradient;
  factor_.matrixL().solveInPlace(whitened_);
  // |whitened| is the step's length in posterior standard deviations.
  whitened_ *= std::min(1.0, longest_step_ / std::max(whitened_.norm(), 1e-300));
  factor_.matrixU().solveInPlace(whitened_);
  numbers += whitened_;
}

Eigen::VectorXd SecondOrder::standard_deviations() const {
  const auto count = precision_.rows();
  const Eigen::MatrixXd inverse_factor =
      factor_.matrixL().solve(Eigen::MatrixXd::Identity(count, count));
  return inverse_factor.colwise().norm();
}

}  // namespace ovf
