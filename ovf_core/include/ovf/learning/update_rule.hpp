#pragma once

#include <Eigen/Core>
#include <memory>

#include "ovf/learning/learning_config.hpp"
#include "ovf/math/archive.hpp"

namespace ovf {

/// Moves unconstrained numbers along the gradient of log p(y_t | y^{t-1}).
class UpdateRule {
 public:
  virtual ~UpdateRule() = default;
  /// `information`: the expected information of this observation; only the second order needs it.
  virtual void step(const Eigen::VectorXd& gradient, const Eigen::MatrixXd& information,
                    Eigen::VectorXd& numbers) = 0;
  /// Multiplies what it knows by a factor in [0, 1]; nothing where it knows nothing.
  virtual void forget(double /*retained*/) {}
  /// Standard deviations of the numbers; empty where the rule has none.
  virtual Eigen::VectorXd standard_deviations() const { return {}; }
  virtual void archive(Archive& archive) = 0;
  virtual Eigen::MatrixXd covariance() const { return {}; }
};

/// Null for LearningRule::kNone. Prior deviations: as in SecondOrder.
std::unique_ptr<UpdateRule> make_update_rule(const LearningConfig& config, int count,
                                             const Eigen::VectorXd& prior_deviations = {});

}  // namespace ovf
