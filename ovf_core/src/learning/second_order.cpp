#include "ovf/learning/second_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ovf {
namespace {

// Scores whose sum is beyond this many standard deviations are a drift, not chance.
constexpr double kDrift = 2.5;
// A drift that promises more than this many nats for a standard deviation of the prior is evidence
// against it: it then counts for less and less. When the drift has ended the prior comes back, by
// this share of what is missing at each step.
constexpr double kEvidence = 0.3;
constexpr double kReturn = 0.05;
// Scores are not watched during twice as many steps as there are numbers, at most these.
constexpr Eigen::Index kMaxFirstSteps = 100;

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
      long_run_(information_),
      score_sum_(Eigen::VectorXd::Zero(count)),
      score_count_(score_sum_),
      recent_(score_sum_),
      evidence_(score_sum_),
      prior_weights_(Eigen::VectorXd::Ones(count)),
      precisions_(prior_precisions_),
      factor_(Eigen::MatrixXd(prior_precisions_.asDiagonal())),
      next_information_(information_),
      next_precision_(information_),
      next_factor_(count),
      score_(count),
      whitened_(count),
      retained_(count) {}

double SecondOrder::cut(const Eigen::VectorXd& gradient) {
  // |whitened| is the step's length in posterior standard deviations.
  whitened_ = gradient;
  factor_.matrixL().solveInPlace(whitened_);
  return std::min(1.0, longest_step_ / std::max(whitened_.norm(), 1e-300));
}

void SecondOrder::step(const Eigen::VectorXd& gradient, const Eigen::MatrixXd& information,
                       Eigen::VectorXd& numbers) {
  if (information.size() > 0) {
    next_information_ = retention_ * information_ + information;
  } else {
    score_ = cut(gradient) * gradient;
    next_information_ = retention_ * information_;
    next_information_.noalias() += score_ * score_.transpose();
  }
  next_precision_ = next_information_;
  next_precision_.diagonal() += prior_precisions_.cwiseProduct(prior_weights_);
  next_factor_.compute(next_precision_);
  if (next_factor_.info() != Eigen::Success) return;  // an information that is not one
  std::swap(information_, next_information_);
  std::swap(factor_, next_factor_);

  const double kept = cut(gradient);
  // In units in which its variance is the information: the number itself is uncertain, too, which
  // adds information^2 / precision to the variance of a score.
  score_ = kept * gradient.array() *
           (precisions_.array() / next_precision_.diagonal().array()).min(1.0).sqrt();
  whitened_ *= kept;
  factor_.matrixU().solveInPlace(whitened_);
  // Nor is a step longer than that in standard deviations of the prior.
  const double length = (whitened_.array().abs() * prior_precisions_.array().sqrt()).maxCoeff();
  whitened_ *= std::min(1.0, longest_step_ / std::max(length, 1e-300));
  numbers += whitened_;
  // The first scores are large because all numbers are uncertain together, not because of a drift.
  if (++first_steps_ > std::min<Eigen::Index>(2 * numbers.size(), kMaxFirstSteps)) {
    record_score();
    forget_drift();
  }
  precisions_ = information_.diagonal() + prior_precisions_.cwiseProduct(prior_weights_);
}

// The long-run variance by sums over a window that grows like the root of the number of steps, less
// their mean: a drift is no variance.
void SecondOrder::record_score() {
  if (retention_ < 1.0) {
    long_run_ *= retention_;
    score_sum_ *= retention_;
    score_count_ *= retention_;
  }
  steps_ += 1.0;
  const double rate = 1.0 / (1.0 + std::sqrt(steps_));
  recent_ = (1.0 - rate) * recent_ + score_;
  score_sum_ += score_;
  score_count_.array() += 1.0;
  const double length = -std::expm1(steps_ * std::log1p(-rate)) / rate;
  whitened_ = recent_.array() - length * score_sum_.array() / score_count_.array();
  long_run_.noalias() += (rate * (2.0 - rate)) * whitened_ * whitened_.transpose();
}

void SecondOrder::forget_drift() {
  // Variances of the sums, in units of their squares.
  retained_ = information_.diagonal().cwiseMax(long_run_.diagonal()).array() /
              score_sum_.array().square().max(std::numeric_limits<double>::min());
  retained_ = (kDrift * kDrift * retained_.array()).min(1.0);
  for (Eigen::Index i = 0; i < retained_.size(); ++i) {
    double& weight = prior_weights_[i];
    if (retained_[i] < 1.0) {
      evidence_[i] += score_[i];
      const double square = evidence_[i] * evidence_[i];
      if (square > kEvidence * kEvidence * prior_precisions_[i]) weight *= retained_[i];
    } else {
      evidence_[i] *= 1.0 - kReturn;
      weight += kReturn * (1.0 - weight);
    }
  }
  if (retained_.minCoeff() == 1.0) return;
  score_sum_.array() *= retained_.array();
  score_count_.array() *= retained_.array();
  retained_ = retained_.cwiseSqrt();
  for (Eigen::MatrixXd* matrix : {&information_, &long_run_}) {
    matrix->array().colwise() *= retained_.array();
    matrix->array().rowwise() *= retained_.transpose().array();
  }
}

Eigen::MatrixXd SecondOrder::precision() const {
  Eigen::MatrixXd precision = information_;
  precision.diagonal() += prior_precisions_.cwiseProduct(prior_weights_);
  return precision;
}

void SecondOrder::forget(double retained) {
  information_ *= retained;
  long_run_ *= retained;
  score_sum_ *= retained;
  score_count_ *= retained;
  precisions_ = precision().diagonal();
}

Eigen::VectorXd SecondOrder::standard_deviations() const {
  return covariance().diagonal().cwiseSqrt();
}

Eigen::MatrixXd SecondOrder::covariance() const {
  const auto count = information_.rows();
  const Eigen::MatrixXd inverse = precision().llt().solve(Eigen::MatrixXd::Identity(count, count));
  Eigen::MatrixXd scores = long_run_;
  scores.diagonal() += prior_precisions_.cwiseProduct(prior_weights_);
  const Eigen::VectorXd sandwich = (inverse * scores).cwiseProduct(inverse).rowwise().sum();
  const Eigen::VectorXd widening = (sandwich.array() / inverse.diagonal().array()).max(1.0).sqrt();
  return widening.asDiagonal() * inverse * widening.asDiagonal();
}

void SecondOrder::archive(Archive& archive) {
  const Eigen::Index count = information_.rows();
  archive.integer("first steps of theta's posterior", first_steps_, 0,
                  std::numeric_limits<long>::max() - 1);
  archive.number("steps of theta's posterior", steps_);
  archive.require(steps_ >= 0.0, "steps of theta's posterior", "a number not below 0");
  for (Eigen::MatrixXd* matrix : {&information_, &long_run_}) {
    archive.matrix("information about theta", *matrix, count, count);
    archive.require_finite("information about theta", *matrix);
  }
  for (Eigen::VectorXd* vector :
       {&score_sum_, &score_count_, &recent_, &evidence_, &prior_weights_}) {
    archive.vector("scores of theta", *vector, count);
    archive.require_finite("scores of theta", *vector);
  }
  if (!archive.reading()) return;
  const Eigen::MatrixXd precision = this->precision();
  precisions_ = precision.diagonal();
  factor_.compute(precision);
  archive.require(factor_.info() == Eigen::Success, "precision of theta",
                  "a positive definite matrix");
}

}  // namespace ovf
