#pragma once

#include <Eigen/Core>
#include <string>

#include "ovf/evaluation/chaotic_rnn_experiments.hpp"
#include "ovf/evaluation/chaotic_rnn_problem.hpp"

namespace ovf {

/// What is learned, and from where.
struct LearningCase {
  std::string id;
  std::string title;
  ChaoticRnnSpec truth;  ///< with the flags of what is learned
  ChaoticRnnSpec start;
};

/// Observations to learn from, and a sequence whose states from `first_target` on are predicted.
struct LearningSplit {
  Eigen::MatrixXd observations;
  ChaoticRnnProblem test;
  int first_target = 0;
};

/// Drawn, or read from options.data: then the last fifth is the test.
LearningSplit split_problem(const ChaoticRnnParametersOptions& options);

/// gamma, tau and the noise, with W known.
LearningCase dynamics_case(const ChaoticRnnSpec& spec);
/// W and the noise, with gamma and tau known. W starts at zero: nothing is known of the network.
LearningCase network_case(const ChaoticRnnSpec& spec);

}  // namespace ovf
