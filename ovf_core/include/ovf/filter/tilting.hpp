#pragma once

#include "ovf/filter/step_record.hpp"

namespace ovf {

/// Puts the exact factors of a separable g in the places of their Gaussian sites: fills the
/// record's tilted marginal and, with the step before it (null at the first), its tilted kernel.
/// `transition` is f as the step linearised it, `smoothed` is q_t(x_{t-1}); the record's prediction
/// and marginal must be set. False if a precision lost definiteness.
bool tilt(const StateSpaceModel& model, const StepRecord* last, const AffineGaussian& transition,
          const Gaussian& smoothed, StepRecord& record);

/// Makes the record's draws.
void draw_joint(const StateSpaceModel& model, int count, RandomStream& random, StepRecord& record);

/// Mean and covariance of the draws of x_t, as the Gaussian that stands for the marginal.
bool match_moments(StepRecord& record);

}  // namespace ovf
