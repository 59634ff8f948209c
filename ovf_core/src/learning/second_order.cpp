#include "ovf/learning/second_order.hpp"

#include <algorithm>
#include <utility>

namespace ovf {
namespace {

constexpr double kFade = 1.0;

}  // namespace

SecondOrder::SecondOrder(const LearningConfig& config, int count)
    : retention_(config.retention),
      longest_step_(config.longest_step),
      prior_precision_(1.0 / (config.prior_deviation * config.prior_deviation)),
      information_(Eigen::MatrixXd::Zero(count, count)),
      outer_products_(information_),
      precision_(Eigen::MatrixXd::Identity(count, count) * prior_precision_),
      factor_(precision_),
      next_factor_(count),
      whitened_(count) {}

void SecondOrder::step(const Eigen::VectorXd& gradient, const Eigen::MatrixXd& information,
                       Eigen::VectorXd& numbers) {
  next_information_ = retention_ * information_;
  next_outer_products_ = retention_ * outer_products_;
  double count = outer_product_count_;
  if (information.size() == 0) {
    // Gradients far from the optimum overstate the information: the share of those of step k falls
    // like (k / t)^fade, at the price of a little variance.
    next_outer_products_ *= 1.0 - kFade / (count += 1.0);
    next_outer_products_.noalias() += gradient * gradient.transpose();
  } else {
    next_information_ += information;
  }
  next_precision_ = next_information_ + next_outer_products_;
  next_precision_.diagonal().array() += prior_precision_;
  next_factor_.compute(next_precision_);
  if (next_factor_.info() != Eigen::Success) return;  // an information that is not one
  std::swap(information_, next_information_);
  std::swap(outer_products_, next_outer_products_);
  outer_product_count_ = count;
  std::swap(precision_, next_precision_);
  std::swap(factor_, next_factor_);

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
