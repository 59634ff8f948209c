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
  /// Prior deviations that are positive replace the configured one; empty: none does.
  SecondOrder(const LearningConfig& config, int count,
              const Eigen::VectorXd& prior_deviations = {});

  /// An empty information stands for the outer product of the gradient.
  void step(const Eigen::VectorXd& gradient, const Eigen::MatrixXd& information,
            Eigen::VectorXd& numbers) override;
  void forget(double retained) override;
  Eigen::VectorXd standard_deviations() const override;
  void archive(Archive& archive) override;
  Eigen::MatrixXd covariance() const override;
  const Eigen::MatrixXd& precision() const { return precision_; }

 private:
  double retention_;
  double longest_step_;
  Eigen::VectorXd prior_precisions_;
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
