#include "ovf/filter/quadratic_score.hpp"

#include <utility>

namespace ovf {

QuadraticScore::QuadraticScore(const StateSpaceModel& model, bool recursive, bool with_information)
    : recursive_(recursive),
      with_information_(with_information),
      score_(model.state_dim(), model.parameters().size()),
      next_score_(score_) {}

void QuadraticScore::update(const StepView& step, const PredictionView& prediction,
                            ScoreIncrement& increment) {
  const StepRecord& record = step.record;
  joint_.assign(record);
  next_score_.set_zero();
  if (!record.first && recursive_) {
    joint_.whiten_from(record);
    score_.compose(joint_.whitened_from, next_score_, scratch_);
    if (record.tilted()) {
      whiten_draws(record);
    } else {
      mean_ = joint_.whitened_from.constant;
      covariance_ = joint_.whitened_covariance;
    }
    score_.expected_variation(mean_, covariance_, variation_);
  } else {
    variation_.setZero(score_.count());
  }
  if (!record.first) {
    step.model.transition().expected_scores(record.input, step.transition, joint_.from, joint_.to,
                                            0, next_score_);
  }
  if (record.observed) {
    step.model.observation(record.input)
        .expected_scores(record.y, joint_.to, step.model.transition_parameter_count(), next_score_);
  }
  if (record.tilted()) average_scores(step);
  increment.gradient = variation_ + next_score_.constant();
  next_score_.constant().setZero();
  if (with_information_ && record.observed) {
    if (!information_.still_holds(step.model, record.input)) {
      information_.compute(step.model, record, prediction, record.first ? nullptr : &score_,
                           record.previous.factor, increment.information);
      information_.limit_noise(step.model.parameters(), increment.information);
    }
    increment.gradient.array() *= information_.limits().array();
  }
}

// Mean and covariance of the last step's whitened state over the draws.
void QuadraticScore::whiten_draws(const StepRecord& record) {
  scratch_ = record.draws.from.colwise() - record.previous.mean;
  record.previous.factor.whiten(scratch_);
  mean_ = scratch_.rowwise().mean();
  scratch_.colwise() -= mean_;
  covariance_.noalias() = scratch_ * scratch_.transpose() / static_cast<double>(scratch_.cols());
}

// The means of the step's own scores over the draws instead of under the Gaussians.
void QuadraticScore::average_scores(const StepView& step) {
  const StepRecord& record = step.record;
  const JointDraws& draws = record.draws;
  if (record.first) {
    step.model.first_scores(record.input, record.y, draws.to, scratch_);
  } else {
    step.model.scores(record.input, record.y, draws.from, draws.to, scratch_);
  }
  next_score_.constant() = scratch_.rowwise().mean();
}

void QuadraticScore::commit() { std::swap(score_, next_score_); }

// S may overflow where the belief does not; then nothing is learned, and it is a state like others.
void QuadraticScore::archive(Archive& archive, const StateSpaceModel& model) {
  score_.archive(archive);
  if (with_information_) information_.archive(archive, model);
}

}  // namespace ovf
