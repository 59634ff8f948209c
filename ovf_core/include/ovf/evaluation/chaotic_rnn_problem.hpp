#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>

#include "ovf/filter/online_variational_filter_config.hpp"
#include "ovf/model/chaotic_rnn_model.hpp"

namespace ovf {

/// A problem of Section 5.2: the model, the states it went through and what was observed of them
/// (columns).
struct ChaoticRnnProblem {
  ChaoticRnnSpec spec;
  Eigen::MatrixXd states;
  Eigen::MatrixXd observations;

  int dim() const { return static_cast<int>(states.rows()); }
  int steps() const { return static_cast<int>(states.cols()); }
};

/// W, states and observations drawn from one seed. Throws std::invalid_argument on fewer than one
/// dimension or step.
ChaoticRnnProblem random_chaotic_rnn_problem(int dim, int steps, std::uint64_t seed);

/// The same from a folder with W.csv (d x d), x_data.csv and y_data.csv (a row per time step); at
/// most `steps` rows are kept. Throws std::runtime_error naming the file and what is wrong with it.
ChaoticRnnProblem load_chaotic_rnn_problem(const std::filesystem::path& folder, int steps);

/// The paper's algorithm (reparameterised samples, Adam, an MLP in the backward kernel, kernel
/// ridge for T) on this model, with better starting points and less noise in the gradients than
/// published, so that fewer iterations do; nothing is learned.
OnlineVariationalFilterConfig chaotic_rnn_paper_config(int dim);

/// The same algorithm as the authors ran it: 500 iterations of Adam at rate 0.01, 10 samples, an
/// MLP alone as the backward kernel, random starts, kernel ridge (lambda 0.01, 250 points) for T.
OnlineVariationalFilterConfig chaotic_rnn_published_config();

/// The networks of the appendix on amortisation (two hidden layers of 100), T by kernel ridge, U by
/// lines; nothing is learned but them.
OnlineVariationalFilterConfig chaotic_rnn_amortised_config(int dim);

/// `fast` and `accurate` with nothing learned.
OnlineVariationalFilterConfig chaotic_rnn_fast_config();
OnlineVariationalFilterConfig chaotic_rnn_accurate_config();

/// The authors' measure: the root mean square over dimensions, averaged over time without the first
/// tenth of the steps.
double tracking_rmse(const Eigen::MatrixXd& estimates, const Eigen::MatrixXd& truth);

}  // namespace ovf
