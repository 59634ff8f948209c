#pragma once

#include "ovf/filter/step_record.hpp"

namespace ovf {

/// Puts the exact factors of a separable g in the places of their Gaussian sites: fills the
/// record's tilted marginal and, with the step before it (null at the first), its tilted kernel.
/// `transition` is f as the step linearised it, `smoothed` is q_t(x_{t-1}); the record's prediction
/// and marginal must be set. False if a precision lost definiteness.
bool tilt(const StateSpaceModel& model, const StepRecord* last, const AffineGaussian& transition,
          const Gaussian& smoothed, StepRecord& record);

/// Makes the record's draws and weighs them by the model; `last` as above.
void draw_joint(const StateSpaceModel& model, const StepRecord* last, int count,
                RandomStream& random, StepRecord& record);

/// Weighs them by the steps before, too, with draws of the state before `last`.
void weigh_further_back(const StateSpaceModel& model, const StepRecord& last,
                        const StepRecord& second_last, RandomStream& random, StepRecord& record);

/// The record's moments: weighted mean and covariance of its draws of x_t.
bool match_moments(StepRecord& record);

}  // namespace ovf
