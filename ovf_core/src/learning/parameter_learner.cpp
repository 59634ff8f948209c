#include "ovf/learning/parameter_learner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ovf {
namespace {

// Prior standard deviations from the start: a noise may be wrong by a factor of 700.
constexpr double kReach = 6.0;
constexpr double kRounding = 1e-9;
// Steps of doubt for each step with a wrong belief, and of all of them at most.
constexpr int kDoubt = 10;
constexpr int kLongestDoubt = 10000;

Eigen::VectorXd prior_deviations(const ParameterVector& parameters) {
  Eigen::VectorXd deviations(parameters.size());
  for (int i = 0; i < parameters.size(); ++i) deviations[i] = parameters.info(i).prior_deviation;
  return deviations;
}

}  // namespace

ParameterLearner::ParameterLearner(const LearningConfig& config, ParameterVector start)
    : config_(config),
      parameters_(std::move(start)),
      rule_(parameters_.size() == 0
                ? nullptr
                : make_update_rule(config, parameters_.size(), prior_deviations(parameters_))),
      start_(parameters_.unconstrained()),
      numbers_(start_),
      lowest_(numbers_),
      highest_(numbers_),
      moved_(numbers_),
      values_(parameters_.values()),
      slope_(values_.size()),
      gradient_(values_.size()) {
  for (int i = 0; i < parameters_.size(); ++i) {
    const bool limited = config.rule == LearningRule::kSecondOrder &&
                         parameters_.info(i).transform != Transform::kIdentity;
    const double reach =
        limited ? kReach * prior_deviation(i) : std::numeric_limits<double>::infinity();
    lowest_[i] -= reach;
    highest_[i] += reach;
  }
}

double ParameterLearner::prior_deviation(int i) const {
  const double own = parameters_.info(i).prior_deviation;
  return own > 0.0 ? own : config_.prior_deviation;
}

void ParameterLearner::set_values(const Eigen::VectorXd& values) {
  parameters_.set_values(values);
  values_ = values;
  numbers_ = parameters_.unconstrained();
}

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
    information_ = slope_.asDiagonal() * increment.information * slope_.asDiagonal();
  } else {
    information_.resize(0, 0);
  }
  moved_ = numbers_;
  rule_->step(gradient_, information_, moved_);
  if (!moved_.allFinite()) return false;
  // Values that were set from outside may lie beyond, and stay.
  numbers_ = moved_.cwiseMax(lowest_.cwiseMin(numbers_)).cwiseMin(highest_.cwiseMax(numbers_));
  parameters_.to_natural(numbers_, values_);
  return true;
}

void ParameterLearner::judge_belief(bool sound, bool overconfident) {
  if (!rule_ || frozen_ || steps_ <= config_.burn_in) return;
  overconfident_ = overconfident;
  doubt_ = std::clamp(sound ? doubt_ - 1 : doubt_ + kDoubt, 0, kLongestDoubt);
}

Eigen::VectorXd ParameterLearner::standard_deviations() const {
  Eigen::VectorXd deviations = rule_ ? rule_->standard_deviations() : Eigen::VectorXd();
  if (deviations.size() == 0) return deviations;
  if (in_doubt()) return doubtful_deviations(deviations);
  Eigen::VectorXd slope(values_.size());
  parameters_.natural_slope(values_, slope);
  return deviations.cwiseProduct(slope);
}

// A value may have come a long way for nothing: the larger of the slopes here and at the start.
Eigen::VectorXd ParameterLearner::doubtful_deviations(const Eigen::VectorXd& deviations) const {
  Eigen::VectorXd slope(values_.size()), first_slope(values_.size()), first_values(values_.size());
  Eigen::VectorXd start = start_;
  parameters_.to_natural(start, first_values);
  parameters_.natural_slope(values_, slope);
  parameters_.natural_slope(first_values, first_slope);
  Eigen::VectorXd out(deviations.size());
  for (Eigen::Index i = 0; i < out.size(); ++i) {
    const double doubt = std::hypot(prior_deviation(static_cast<int>(i)), numbers_[i] - start_[i]);
    out[i] = std::max(deviations[i] * slope[i], doubt * std::max(slope[i], first_slope[i]));
  }
  return out;
}

std::vector<ParameterStatus> ParameterLearner::statuses() const {
  std::vector<ParameterStatus> statuses;
  const Eigen::VectorXd deviations = rule_ ? rule_->standard_deviations() : Eigen::VectorXd();
  for (Eigen::Index i = 0; i < deviations.size(); ++i) {
    const int j = static_cast<int>(i);
    const bool far = numbers_[i] < lowest_[i] + kRounding || numbers_[i] > highest_[i] - kRounding;
    if (far || parameters_.is_at_bound(j, values_[i])) {
      statuses.push_back(ParameterStatus::kAtBound);
    } else {
      const ParameterStatus status = status_of(deviations[i], prior_deviation(j));
      const bool doubt = in_doubt() && status == ParameterStatus::kIdentified;
      statuses.push_back(doubt ? ParameterStatus::kInDoubt : status);
    }
  }
  return statuses;
}

Eigen::MatrixXd ParameterLearner::covariance() const {
  Eigen::MatrixXd numbers = rule_ ? rule_->covariance() : Eigen::MatrixXd();
  if (numbers.size() == 0) return numbers;
  Eigen::VectorXd slope(values_.size());
  parameters_.natural_slope(values_, slope);
  return slope.asDiagonal() * numbers * slope.asDiagonal();
}

void ParameterLearner::archive(Archive& archive) {
  archive.flag("frozen", frozen_);
  archive.integer("steps of doubt", doubt_, 0, kLongestDoubt);
  archive.flag("overconfident", overconfident_);
  archive.integer("steps of theta", steps_, 0, std::numeric_limits<long>::max() - 1);
  archive.vector("unconstrained theta", numbers_, numbers_.size());
  archive.require_finite("unconstrained theta", numbers_);
  archive.vector("theta", values_, values_.size());
  if (archive.reading()) parameters_.set_values(values_);  // throws outside the bounds
  if (rule_) rule_->archive(archive);
}

}  // namespace ovf
