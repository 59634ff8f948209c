#pragma once

#include <Eigen/Core>

namespace ovf {

/// Systematic resampling: one uniform number in [0, 1) places a comb of ancestors.size() equally
/// spaced teeth over the cumulated weights. Particle i is drawn floor or ceil of (N w_i) times,
/// with mean N w_i, and never if its weight is zero; ancestors come in increasing order. The
/// weights need not sum to one. False, and the ancestors as they were, unless the weights are
/// finite, not negative and not all zero.
bool systematic_resampling(const Eigen::VectorXd& weights, double uniform,
                           Eigen::VectorXi& ancestors);

}  // namespace ovf
