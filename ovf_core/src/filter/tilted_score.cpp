#include "ovf/filter/tilted_score.hpp"

#include <utility>

namespace ovf {

TiltedScore::TiltedScore(const StateSpaceModel& model, bool with_information)
    : with_information_(with_information),
      score_(model.state_dim(), model.parameters().size()),
      next_score_(score_),
      mean_score_(Eigen::VectorXd::Zero(score_.count())),
      next_mean_score_(mean_score_),
      last_mean_(Eigen::VectorXd::Zero(model.state_dim())),
      last_covariance_(Eigen::MatrixXd::Zero(model.state_dim(), model.state_dim())) {}

void TiltedScore::update(const StepView& step, const PredictionView& prediction,
                         ScoreIncrement& increment) {
  const StepRecord& record = step.record;
  joint_.assign(record);
  next_score_.set_zero();
  increment.gradient.setZero(score_.count());
  if (!record.first) carry_over(step);
  if (record.observed) {
    observe(step, increment.gradient);
  } else {
    predict(step);
  }
  next_score_.constant().setZero();
  if (with_information_ && record.observed) {
    information_.apply(step, prediction, score_, increment);
  }
}

// S_{t-1} as functions of x_t, with f's scores.
void TiltedScore::carry_over(const StepView& step) {
  joint_.whiten_from(step.record);
  score_.compose(joint_.whitened_from, next_score_, scratch_);
  step.model.transition().expected_scores(step.record.input, step.transition, joint_.from,
                                          joint_.to, 0, next_score_);
}

// E[S_{t-1} + s_t] now less E[S_{t-1}] before, with the same Gaussian before both.
void TiltedScore::observe(const StepView& step, Eigen::VectorXd& gradient) {
  const StepRecord& record = step.record;
  const JointDraws& draws = record.draws;
  step.model.observation(record.input)
      .expected_scores(record.y, joint_.to, step.model.transition_parameter_count(), next_score_);
  if (record.first) {
    step.model.first_scores(record.input, record.y, draws.to, scratch_);
    gradient.noalias() = scratch_ * draws.weights;
  } else {
    take_moments(draws.from, draws.further_weights);
    gradient = mean_of(score_, record.previous) - mean_score_;
    step.model.scores(record.input, record.y, draws.from, draws.to, scratch_);
    gradient.noalias() += scratch_ * draws.weights;
  }
  take_moments(draws.to, draws.weights);
  next_mean_score_ = mean_of(next_score_, record.marginal.gaussian());
  take_moments(draws.to, Eigen::VectorXd::Constant(draws.to.cols(), 1.0 / draws.to.cols()));
  next_mean_ = mean_;
  next_covariance_ = covariance_;
}

// Nothing is learned; E[S_t] as f says from what was known of x_{t-1}.
void TiltedScore::predict(const StepView& step) {
  const StepRecord& record = step.record;
  if (record.first) {
    mean_ = record.marginal.gaussian().mean;
    covariance_ = record.marginal.gaussian().factor.covariance();
  } else {
    const AffineGaussian& f = step.transition;
    mean_ = f.matrix * last_mean_ + f.offset;
    covariance_ = f.matrix * last_covariance_ * f.matrix.transpose() + f.noise.covariance();
  }
  next_mean_score_ = mean_of(next_score_, record.marginal.gaussian());
  next_mean_ = mean_;
  next_covariance_ = covariance_;
}

void TiltedScore::take_moments(const Eigen::MatrixXd& x, const Eigen::VectorXd& weights) {
  mean_.noalias() = x * weights;
  scratch_ = x.colwise() - mean_;
  covariance_.noalias() = scratch_ * weights.asDiagonal() * scratch_.transpose();
}

// E[S] where the state has mean_ and covariance_; S is in the whitened coordinates of a Gaussian.
const Eigen::VectorXd& TiltedScore::mean_of(const QuadraticFunctions& score,
                                            const Gaussian& coordinates) {
  whitened_mean_ = mean_ - coordinates.mean;
  coordinates.factor.whiten(whitened_mean_);
  whitened_covariance_ = covariance_;
  coordinates.factor.whiten(whitened_covariance_);
  whitened_covariance_.transposeInPlace();
  coordinates.factor.whiten(whitened_covariance_);
  score.expected_variation(whitened_mean_, whitened_covariance_, variation_);
  return variation_;
}

void TiltedScore::commit() {
  std::swap(score_, next_score_);
  mean_score_.swap(next_mean_score_);
  last_mean_.swap(next_mean_);
  last_covariance_.swap(next_covariance_);
}

void TiltedScore::archive(Archive& archive, const StateSpaceModel& model) {
  score_.archive(archive);
  archive.vector("mean of S over draws", mean_score_, mean_score_.size());
  archive.vector("mean of the state", last_mean_, model.state_dim());
  archive.require_finite("mean of the state", last_mean_);
  archive.matrix("covariance of the state", last_covariance_, model.state_dim(), model.state_dim());
  archive.require_finite("covariance of the state", last_covariance_);
  if (with_information_) information_.archive(archive, model);
}

}  // namespace ovf
