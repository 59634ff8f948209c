#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "ovf/filter/score_recursion.hpp"
#include "ovf/math/random.hpp"

namespace ovf {

/// S at N weighted draws of the state, with nothing fitted: the sum over x_{t-1} in Eq. (12) is
/// taken over the draws of the last step, by self-normalised backward weights W_n f(x_t |
/// x_{t-1}^n) as in PaRIS (Olsson and Westerborn, 2017) and RMCVI (arXiv 2602.06579). The draws
/// come from q_t and carry importance weights, so that with many of them the increments are those
/// of the exact log likelihood, whatever q_t misses. Time grows with N^2. Serves any model.
class BackwardWeightedScore final : public ScoreRecursion {
 public:
  /// `draws`: N. `recursive` false: S_{t-1} = 0, as in the AELBOs.
  BackwardWeightedScore(int draws, bool recursive, std::uint64_t seed);

  void update(const StepView& step, const PredictionView& prediction,
              ScoreIncrement& increment) override;
  void commit() override;
  void reject() override { random_ = committed_random_; }
  void archive(Archive& archive, const StateSpaceModel& model) override;

 private:
  struct WeightedDraws {
    Eigen::MatrixXd x;        // columns
    Eigen::VectorXd weights;  // of sum 1
    Eigen::MatrixXd score;    // S there, parameters x draws, of weighted mean 0
  };

  /// Draws of x_t, and their log densities up to a constant.
  void propose(const StepView& step);
  /// The log prediction at each draw of x_t, and its expectation of S_{t-1} + s_f.
  void carry_over(const StepView& step);
  void carry_over_block(const StepView& step, Eigen::Index first, Eigen::Index count);
  /// Log g and s_g at each draw of x_t.
  void observe(const StepView& step);
  /// Takes draws without a usable weight or S out of the sums.
  void discard_unusable();

  Eigen::Index count_;
  bool recursive_;
  RandomStream random_;
  RandomStream committed_random_;
  WeightedDraws last_;  // empty before the first step
  WeightedDraws next_;
  Eigen::VectorXd log_proposal_;
  Eigen::VectorXd log_last_weights_;

  Eigen::MatrixXd noise_;
  Eigen::MatrixXd from_, to_;  // the pairs of a block
  Eigen::VectorXd pair_weights_;
  Eigen::MatrixXd term_;
  Eigen::VectorXd log_g_;
};

}  // namespace ovf
