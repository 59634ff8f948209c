#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "ovf/evaluation/chaotic_rnn_problem.hpp"
#include "ovf/evaluation/progress.hpp"
#include "ovf/filter/kalman_filter.hpp"
#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/filter/posterior_chain.hpp"

namespace ovf {

/// What a filter with known theta made of a problem.
struct TrackingRun {
  Eigen::MatrixXd filtered{};  ///< E[x_t | y^t] in columns
  /// Column t is E[x_t | y^{t+1}], one column fewer; empty where the method has no kernel.
  Eigen::MatrixXd smoothed{};
  std::vector<double> online{};  ///< the running ELBO or log evidence after each step
  PosteriorChain chain{};        ///< empty where the method has no joint posterior
  double seconds_per_step = 0.0;
  std::string failure{};  ///< why the run stopped early; empty when all is well
};

/// Called with t = 0, 1, ... after each step.
using TrackingObserver = std::function<void(int t, TrackingRun& run)>;

/// Feeds all observations to a filter; only its steps are timed.
TrackingRun track(Filter& filter, const ChaoticRnnProblem& problem, Progress& progress,
                  const TrackingObserver& after_step);

/// With smoothed means and the chain of posteriors. `draws` are taken for the mean of each
/// posterior that is not Gaussian.
TrackingRun track_variational(const ChaoticRnnProblem& problem,
                              const OnlineVariationalFilterConfig& config, int draws,
                              Progress& progress, const TrackingObserver& after_step = {});

/// The Kalman filters of a linearisation, with the kernels of their smoothers.
TrackingRun track_kalman(const ChaoticRnnProblem& problem, Linearisation method,
                         Progress& progress);

TrackingRun track_ensemble(const ChaoticRnnProblem& problem, int members, std::uint64_t seed,
                           Progress& progress);
TrackingRun track_particles(const ChaoticRnnProblem& problem, int particles, std::uint64_t seed,
                            Progress& progress);

/// Throws std::runtime_error if the run stopped early.
void require_complete(const TrackingRun& run, const std::string& name);

}  // namespace ovf
