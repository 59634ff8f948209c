#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "evaluation/chaotic_rnn_learning.hpp"
#include "evaluation/learning_run.hpp"
#include "ovf/evaluation/report.hpp"

namespace ovf {

/// A table of what each run reached and at which cost: the error of every parameter, the ELBO of
/// the test sequence by `accurate` with the learned parameters, and the time of a step.
void add_peers(const LearningCase& learning, const std::vector<LearningRun>& runs,
               const ChaoticRnnProblem& test, std::uint64_t seed, std::ostream& progress,
               Report& report);

}  // namespace ovf
