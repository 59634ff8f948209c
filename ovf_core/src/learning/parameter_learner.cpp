#include "ovf/learning/parameter_learner.hpp"

#include <cmath>
#include <utility>

namespace ovf {

ParameterLearner::ParameterLearner(const LearningConfig& config, ParameterVector start)
    : config_(config),
      parameters_(std::move(start)),
      rule_(parameters_.size() == 0 ? nullptr : make_update_rule(config, parameters_.size())),
      numbers_(parameters_.unconstrained()),
      moved_(numbers_),
      values_(parameters_.values()),
      slope_(values_.size()),
      gradient_(values_.size()) {}

bool ParameterLearner::update(const ScoreIncrement& increment) {
  if (!rule_ || ++steps_ <= config_.burn_in || frozen_) return false;
  // The squares enter the rules, so they must be finite too.
  if (!std::isfinite(increment.gradient.squaredNorm()) ||
      !std::isfinite(increment.information.squaredNorm())) {
    return false;
  }

  parameters_.natural_slope(values_, slope_);
  gradient_ = increment.gradient.cwiseProduct(slope_);
  if (increment.information.size() > 0) {
    information_ = slope_.asDiagonal() * increment.information;
    information_ *= slope_.asDiagonal();
  } else {
    information_.resize(0, 0);
  }
  moved_ = numbers_;
  rule_->step(gradient_, information_, moved_);
  if (!moved_.allFinite()) return false;
  numbers_ = moved_;
  parameters_.to_natural(numbers_, values_);
  return true;
}

Eigen::VectorXd ParameterLearner::standard_deviations() const {
  Eigen::VectorXd deviations = rule_ ? rule_->standard_deviations() : Eigen::VectorXd();
  if (deviations.size() == 0) return deviations;
  Eigen::VectorXd slope(values_.size());
  parameters_.natural_slope(values_, slope);
  return deviations.cwiseProduct(slope);
}

}  // namespace ovf
