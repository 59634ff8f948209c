#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "ovf/learning/update_rule.hpp"

namespace ovf {

/// A Gaussian posterior over the numbers: precision += information, mean += precision^-1 gradient.
/// The score divided by the accumulated Fisher information: statistically efficient, no step size.
/// The prior is never forgotten, so that numbers the data say nothing of keep their spread.
class SecondOrder final : public UpdateRule {
 public:
  SecondOrder(const LearningConfig& config, int count);

  /// An empty information stands for the outer product of the gradient.
  void step(const Eigen::VectorXd& gradient, const Eigen::MatrixXd& information,
            Eigen::VectorXd& numbers) override;
  Eigen::VectorXd standard_deviations() const override;
  const Eigen::MatrixXd& precision() const { return precision_; }

 private:
  double retention_;
  double longest_step_;
  double prior_precision_;
  double outer_product_count_ = 0.0;
  Eigen::MatrixXd information_;
  Eigen::MatrixXd outer_products_;  // in place of informations that are missing
  Eigen::MatrixXd precision_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::MatrixXd next_information_, next_outer_products_, next_precision_;
  Eigen::LLT<Eigen::MatrixXd> next_factor_;
  Eigen::VectorXd whitened_;
};

}  // namespace ovf
