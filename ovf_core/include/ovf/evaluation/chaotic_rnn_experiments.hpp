#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "ovf/evaluation/report.hpp"

namespace ovf {

/// Table 1: error, ELBO and time of all filters when theta is known.
struct ChaoticRnnComparisonOptions {
  std::vector<int> dims{5, 20, 100};
  int steps = 100;
  /// Run r uses seed + r for W, data and algorithm.
  int runs = 10;
  /// Of the particle filter; also the members of the ensemble.
  int particles = 100000;
  /// Draws of the whole x_{1:t} for the true ELBO.
  int draws = 2500;
  std::uint64_t seed = 1;
  /// A folder as load_chaotic_rnn_problem reads it, in place of dims and drawn data; runs then
  /// differ by the algorithm's seed only.
  std::string data;
  /// AELBO-1, AELBO-2 and the paper's algorithm as the authors ran them
  /// (chaotic_rnn_published_config), not as chaotic_rnn_paper_config has them.
  bool published = false;
};
Report chaotic_rnn_comparison(const ChaoticRnnComparisonOptions& options, std::ostream& progress);

/// Table 2: error of the posterior means against a large particle filter.
struct ChaoticRnnPosteriorOptions {
  int dim = 5;
  int steps = 100;
  /// Of the algorithms, on the same data.
  int runs = 10;
  /// Of the reference.
  int particles = 10000000;
  /// Of the ensemble Kalman filter.
  int members = 100000;
  std::uint64_t seed = 1;
  std::string data;
  bool published = false;
};
Report chaotic_rnn_posterior(const ChaoticRnnPosteriorOptions& options, std::ostream& progress);

/// Figure 2a: online estimates of the ELBO beside the true one.
struct ChaoticRnnElboOptions {
  int dim = 5;
  int steps = 100;
  /// Of the particle filter that estimates the log evidence.
  int particles = 100000;
  int draws = 2500;
  std::uint64_t seed = 1;
  std::string data;
  bool published = false;
};
Report chaotic_rnn_elbo(const ChaoticRnnElboOptions& options, std::ostream& progress);

/// Figure 2b: q(x_{1:t}) fitted online and offline.
struct ChaoticRnnOfflineOptions {
  int dim = 5;
  /// Short sequences, one for each of so many seeds.
  int steps = 10;
  int seeds = 3;
  /// One more sequence; 0: none.
  int long_steps = 100;
  /// Of the offline trainer on the ELBO of the whole sequence, and of its warm start on each
  /// shorter one.
  int iterations = 20000;
  int warm_iterations = 50;
  int draws = 2500;
  std::uint64_t seed = 1;
  /// In place of all drawn sequences: its first `steps` rows, and its first `long_steps` rows.
  std::string data;
  bool published = false;
};
Report chaotic_rnn_offline(const ChaoticRnnOfflineOptions& options, std::ostream& progress);

/// Table 3: networks that learn to filter, while they learn and when they are left as they are.
struct ChaoticRnnAmortisedOptions {
  int dim = 5;
  int steps = 100;
  /// Run r uses seed + r for W, data and algorithm.
  int runs = 10;
  /// Of the networks per observation.
  int iterations = 50;
  /// Of the particle filter that tells how small the error can be.
  int particles = 100000;
  /// Draws of the whole x_{1:t} for the true ELBO.
  int draws = 2500;
  std::uint64_t seed = 1;
  std::string data;
};
Report chaotic_rnn_amortised(const ChaoticRnnAmortisedOptions& options, std::ostream& progress);

/// Beyond the paper: the network and the noise learned while filtering.
struct ChaoticRnnParametersOptions {
  int dim = 5;
  int steps = 20000;
  std::uint64_t seed = 1;
  /// The last fifth is held out.
  std::string data;
  /// Also learn by `accurate` and by backward weights, and compare errors, ELBO and time.
  bool peers = false;
  /// Draws of the backward weights (N).
  int draws = 100;
};
Report chaotic_rnn_parameters(const ChaoticRnnParametersOptions& options, std::ostream& progress);

}  // namespace ovf
