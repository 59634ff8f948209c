#pragma once

#include <memory>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf/model/mean_function.hpp"
#include "ovf/model/motion.hpp"

namespace ovf {

/// The motion; its states and what is learned of it are added to the layout, which must be empty.
std::shared_ptr<const Motion> make_motion(const EstimatorConfig& config, StateLayout& layout);

/// The whole state's step, with a learned part of the dynamics if there is one.
std::unique_ptr<MeanFunction> make_transition_mean(const EstimatorConfig& robot,
                                                   std::shared_ptr<const Motion> motion,
                                                   int state_dim);

}  // namespace ovf
