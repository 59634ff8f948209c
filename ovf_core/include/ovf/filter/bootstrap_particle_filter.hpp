#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>

#include "ovf/filter/filter.hpp"
#include "ovf/filter/kalman_filter.hpp"
#include "ovf/math/random.hpp"
#include "ovf/model/state_space_model.hpp"

namespace ovf {

struct BootstrapParticleFilterConfig {
  int particles = 1000;
  /// Resample when the effective sample size is below this share of the particles.
  double resample_below = 0.5;
  std::uint64_t seed = 1;
};

/// Throws std::invalid_argument naming the key, the value and what was expected.
void validate(const BootstrapParticleFilterConfig& config);

/// The bootstrap particle filter (Gordon et al. 1993) with systematic resampling: particles move by
/// the transition's own samples and are weighted by g. exp(elbo) is an unbiased estimate of the
/// evidence. Time and memory are linear in the particles.
class BootstrapParticleFilter final : public Filter {
 public:
  BootstrapParticleFilter(StateSpaceModel model, const BootstrapParticleFilterConfig& config);

  using Filter::step;
  const StepResult& step(const Eigen::VectorXd& y, const StepInput& input) override;
  const StepResult& skip(const StepInput& input) override;
  /// Weighted mean and covariance of the particles; the prior before the first step. Where no more
  /// particles than dimensions carry weight, the covariance is made definite by a billionth of the
  /// variances of all particles.
  const Gaussian& belief() const override { return belief_; }
  const Eigen::VectorXd& parameters() const override { return model_.parameters().values(); }
  const StateSpaceModel& model() const { return model_; }

  /// The particles of x_t, in columns, and their weights, which sum to one.
  const Eigen::MatrixXd& particles() const { return particles_; }
  const Eigen::VectorXd& weights() const { return weights_; }
  /// 1 / sum of squared weights.
  double effective_sample_size() const { return effective_sample_size_; }
  /// E[x_{t-1} | y^t]: the mean of the particles' parents. Empty before the second step.
  const Eigen::VectorXd& smoothed_previous() const { return smoothed_previous_; }

 private:
  /// An empty y stands for no observation.
  const StepResult& advance(const Eigen::VectorXd& y, const StepInput& input);
  void choose_parents(RandomStream& random);
  bool move_and_weigh(const Eigen::VectorXd& y, const StepInput& input, RandomStream& random);
  void gather_parents(Eigen::Index first, Eigen::Index count);
  bool normalise();
  bool measure_posterior();
  const StepResult& reject(const std::string& reason);

  StateSpaceModel model_;
  BootstrapParticleFilterConfig config_;
  RandomStream random_;
  Eigen::MatrixXd particles_;
  Eigen::VectorXd weights_;
  double effective_sample_size_;
  Eigen::VectorXd smoothed_previous_;
  Gaussian belief_;
  StepResult result_;

  // The step in work.
  bool resampled_ = false;
  Eigen::VectorXi parents_;
  Eigen::MatrixXd next_particles_;
  Eigen::VectorXd next_weights_;  // logarithms until they are normalised
  double next_sample_size_ = 0.0;
  double log_evidence_ = 0.0;
  Eigen::Index heaviest_ = 0;
  Gaussian prediction_;
  Gaussian posterior_;
  Eigen::VectorXd parent_mean_;
  AffineGaussian observation_;
  KalmanGain gain_;
  Eigen::MatrixXd from_, to_;
  Eigen::VectorXd log_g_, old_weights_;
};

}  // namespace ovf
