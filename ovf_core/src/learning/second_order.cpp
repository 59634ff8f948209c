#include "ovf/learning/second_order.hpp"

#include <algorithm>
#include <utility>

namespace ovf {
namespace {

constexpr double kFade = 1.0;

Eigen::VectorXd precisions_of(double configured, const Eigen::VectorXd& deviations, int count) {
  Eigen::VectorXd precisions = Eigen::VectorXd::Constant(count, 1.0 / (configured * configured));
  for (Eigen::Index i = 0; i < deviations.size(); ++i) {
    if (deviations[i] > 0.0) precisions[i] = 1.0 / (deviations[i] * deviations[i]);
  }
  return precisions;
}

}  // namespace

SecondOrder::SecondOrder(const LearningConfig& config, int count,
                         const Eigen::VectorXd& prior_deviations)
    : retention_(config.retention),
      longest_step_(config.longest_step),
      prior_precisions_(precisions_of(config.prior_deviation, prior_deviations, count)),
      information_(Eigen::MatrixXd::Zero(count, count)),
      outer_products_(information_),
      precision_(prior_precisions_.asDiagonal()),
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
  next_precision_.diagonal() += prior_precisions_;
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

void SecondOrder::forget(double retained) {
  information_ *= retained;
  outer_products_ *= retained;
  precision_ = information_ + outer_products_;
  precision_.diagonal() += prior_precisions_;
  factor_.compute(precision_);
}

Eigen::VectorXd SecondOrder::standard_deviations() const {
  const auto count = precision_.rows();
  const Eigen::MatrixXd inverse_factor =
      factor_.matrixL().solve(Eigen::MatrixXd::Identity(count, count));
  return inverse_factor.colwise().norm();
}

Eigen::MatrixXd SecondOrder::covariance() const {
  const auto count = precision_.rows();
  return factor_.solve(Eigen::MatrixXd::Identity(count, count));
}

void SecondOrder::archive(Archive& archive) {
  const Eigen::Index count = precision_.rows();
  archive.number("count of outer products", outer_product_count_);
  archive.require(outer_product_count_ >= 0.0, "count of outer products", "a number not below 0");
  for (Eigen::MatrixXd* matrix : {&information_, &outer_products_, &precision_}) {
    archive.matrix("information about theta", *matrix, count, count);
    archive.require_finite("information about theta", *matrix);
  }
  if (!archive.reading()) return;
  factor_.compute(precision_);
  archive.require(factor_.info() == Eigen::Success, "precision of theta",
                  "a positive definite matrix");
}

}  // namespace ovf
