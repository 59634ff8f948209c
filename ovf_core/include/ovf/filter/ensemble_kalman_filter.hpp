#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "ovf/filter/filter.hpp"
#include "ovf/filter/kalman_filter.hpp"
#include "ovf/math/random.hpp"
#include "ovf/model/state_space_model.hpp"

namespace ovf {

struct EnsembleKalmanFilterConfig {
  int members = 100;
  /// The ensemble's deviations from its predicted mean are multiplied by this.
  double inflation = 1.0;
  std::uint64_t seed = 1;
};

/// Throws std::invalid_argument naming the key, the value and what was expected.
void validate(const EnsembleKalmanFilterConfig& config);

/// The stochastic ensemble Kalman filter (Evensen 1994; perturbed observations, Burgers et al.
/// 1998): each member moves by the transition's own samples and follows its own noisy copy of the
/// observation, with the gain of the ensemble's covariance. The observation enters as the
/// affine-Gaussian conditional expected under the ensemble, which also gives the noise of the
/// copies and the log evidence. Memory grows with members x dimension, time with members x
/// dimension^2; the ensemble may be smaller than the dimension.
class EnsembleKalmanFilter final : public Filter {
 public:
  EnsembleKalmanFilter(StateSpaceModel model, const EnsembleKalmanFilterConfig& config);

  using Filter::step;
  const StepResult& step(const Eigen::VectorXd& y, const StepInput& input) override;
  const StepResult& skip(const StepInput& input) override;
  /// Mean and covariance of the ensemble; the prior before the first step. A covariance of too few
  /// members is made definite by a billionth of its variances.
  const Gaussian& belief() const override { return belief_; }
  const Eigen::VectorXd& parameters() const override { return model_.parameters().values(); }
  const StateSpaceModel& model() const { return model_; }
  /// The members, in columns.
  const Eigen::MatrixXd& ensemble() const { return ensemble_; }

 private:
  /// An empty y stands for no observation.
  const StepResult& advance(const Eigen::VectorXd& y, const StepInput& input);
  void move(const StepInput& input, RandomStream& random);
  void update(const Eigen::VectorXd& y, RandomStream& random);
  void inflate();
  /// Mean and covariance of the ensemble in work.
  bool measure(Gaussian& out);
  const StepResult& reject(const char* reason);

  StateSpaceModel model_;
  EnsembleKalmanFilterConfig config_;
  RandomStream random_;
  Eigen::MatrixXd ensemble_;
  Gaussian belief_;
  StepResult result_;

  Eigen::MatrixXd next_;  // the ensemble in work
  Gaussian prediction_;
  Gaussian posterior_;
  AffineGaussian observation_;
  KalmanGain gain_;
  Eigen::MatrixXd from_, to_, draws_, departures_, centred_, covariance_, scratch_;
  Eigen::VectorXd drift_;
};

}  // namespace ovf
