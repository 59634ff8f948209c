#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "ovf/filter/posterior_chain.hpp"

namespace ovf {

struct OfflineTrainerConfig {
  int iterations = 2000;  ///< on the ELBO of the whole sequence
  int samples = 32;       ///< draws of the whole x_{1:T} in each
  double learning_rate = 0.01;
  /// The learning rate is multiplied by this after every iteration.
  double decay = 0.998;
  /// Before that, iterations on the ELBO of the first tau observations, for each tau = 1, ..., T:
  /// the warm start that long sequences need.
  int warm_iterations = 0;
  /// Differentiate log q only through the sample: the noise vanishes at the optimum.
  bool path_derivative = false;
  bool antithetic = false;
  std::uint64_t seed = 1;
};

/// phi of q(x_{1:t}): the parameters of the kernels of steps 2, ..., t, then of q_t(x_t).
Eigen::VectorXd read_chain_parameters(std::span<const StepRecord> records);
void write_chain_parameters(const Eigen::VectorXd& phi, std::span<StepRecord> records);

/// One record for each column of observations, the factors of all of them as given.
std::vector<StepRecord> make_records(const StateSpaceModel& model,
                                     const Eigen::MatrixXd& observations,
                                     const FilterMarginal& marginal, const BackwardKernel& kernel);

/// What the online filter gives up (Section 5.2): all of phi fitted to the ELBO (Eq. 5) of the
/// whole sequence, by Adam and reparameterised samples of the whole backward chain. theta is fixed.
class OfflineTrainer {
 public:
  /// Throws std::invalid_argument naming the key, the value and what was expected.
  explicit OfflineTrainer(const OfflineTrainerConfig& config);

  struct Result {
    /// Its kernels and its last marginal are fitted.
    PosteriorChain chain;
    /// The estimate at each iteration on the whole sequence, before its step of phi.
    Eigen::VectorXd elbo;
  };
  /// Starts at the factors of the records, one for each step: make_records, or those of an online
  /// filter (Gaussian factors only: a tilted one is dropped). Throws std::invalid_argument on
  /// records that the model cannot use, std::runtime_error if the optimisation diverges.
  Result train(const StateSpaceModel& model, std::vector<StepRecord> records);

  /// Called at each iteration with the observations in the objective (fewer than all of them in a
  /// warm start), the iteration on that objective and its estimate.
  using Observer = std::function<void(int terms, int iteration, double elbo)>;
  void observe(Observer observer) { observer_ = std::move(observer); }

  /// One estimate of the ELBO of the records' observations, the mean of log p(x, y) / q(x), and of
  /// its gradient with respect to phi; noise[k] is that of x_{k+1} (columns are samples). With path
  /// derivatives the two agree only in expectation.
  double elbo(const StateSpaceModel& model, std::span<const StepRecord> records,
              const std::vector<Eigen::MatrixXd>& noise, Eigen::VectorXd& gradient);

 private:
  Eigen::VectorXd maximise(const StateSpaceModel& model, std::span<StepRecord> records,
                           int iterations, RandomStream& random);

  OfflineTrainerConfig config_;
  Observer observer_;
  std::vector<Eigen::MatrixXd> noise_, x_;
  Eigen::MatrixXd cotangent_, d_from_, d_to_, term_;
  Eigen::VectorXd value_;
};

}  // namespace ovf
