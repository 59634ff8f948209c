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
    score_.expected_variation(joint_.whitened_from.constant, joint_.whitened_covariance,
                              variation_);
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
  increment.gradient = variation_ + next_score_.constant();
  next_score_.constant().setZero();
  if (with_information_ && record.observed) {
    information_.apply(step, prediction, score_, increment);
  }
}

void QuadraticScore::commit() { std::swap(score_, next_score_); }

// S may overflow where the belief does not; then nothing is learned, and it is a state like others.
void QuadraticScore::archive(Archive& archive, const StateSpaceModel& model) {
  score_.archive(archive);
  if (with_information_) information_.archive(archive, model);
}

}  // namespace ovf
