#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "ovf/evaluation/report.hpp"

namespace ovf {

/// Figure 1a: how close q_t(x_{t-1}, x_t) comes to the exact posterior when theta is known.
struct StatesOptions {
  int dim = 10;
  int steps = 10;
  /// Inner iterations per step of the `paper` setting.
  int iterations = 5000;
  /// Steps over which the RELBO of the `fast` setting is compared with the log evidence.
  int evidence_steps = 1000;
  std::uint64_t seed = 7;
  /// The authors' ridge (0.01, not the 0.1 of Appendix B) and random starts.
  bool published = false;
};
Report linear_gaussian_states(const StatesOptions& options, std::ostream& progress);

/// Figure 1b: the error of F and G as they are learned; and U and V, which the paper takes as
/// known.
struct ParametersOptions {
  int dim = 10;
  /// Steps of `fast` and of exact RMLE.
  int steps = 50000;
  /// Steps of the sampled settings (`paper`, AELBO-2, AELBO-1), a thousand times slower.
  int sampled_steps = 2000;
  std::uint64_t seed = 7;
  /// A folder as load_learning_problem reads it; empty: data are drawn.
  std::string data;
  /// A filter configuration to run beside the others; empty: none.
  std::string config;
  /// Also learn by backward weights, over the steps of the sampled settings.
  bool peers = false;
  /// Draws of the backward weights (N).
  int draws = 100;
  /// The sampled settings with the authors' random starts, prior N(0, U) and ridge of S.
  bool published = false;
};
Report linear_gaussian_parameters(const ParametersOptions& options, std::ostream& progress);

/// The figure of the semi-amortised approach: the error of a recurrent network's posterior before
/// it has learned from the observation, and after 25, 50, 75 and 100 steps.
struct LinearGaussianAmortisedOptions {
  int dim = 10;
  int steps = 6000;
  /// Run r uses seed + r for data and algorithm.
  int runs = 3;
  std::uint64_t seed = 1;
};
Report linear_gaussian_amortised(const LinearGaussianAmortisedOptions& options,
                                 std::ostream& progress);

}  // namespace ovf
