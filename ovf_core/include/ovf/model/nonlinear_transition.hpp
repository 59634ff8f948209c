#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "ovf/model/mean_function.hpp"
#include "ovf/model/mean_lineariser.hpp"
#include "ovf/model/mean_sensitivity.hpp"
#include "ovf/model/observation_noise.hpp"
#include "ovf/model/transition.hpp"

namespace ovf {

/// Two messages with one stamp are a step of this length, so that f has a density.
inline constexpr double kShortestStep = 1e-5;

/// Noise that is independent from state to state and grows with time.
struct ProcessNoise {
  /// Standard deviations after one unit of time, all positive.
  Eigen::VectorXd deviations;
  /// Which states' deviations are learned, and which of them as one: a name common to a group;
  /// empty: not learned.
  std::vector<std::string> learned_as;
  /// How far off learned ones may be: the prior's standard deviation, as a factor.
  double factor = 3.0;
};

/// f = N(m(x, u, dt), Q).
class NonlinearTransition final : public Transition {
 public:
  /// A shared learned scale "noise" is the root mean square of Q's standard deviations, Q keeps its
  /// shape; "noise[i]" each needs a diagonal Q. Throws std::invalid_argument on a mean that is
  /// missing or not from states to states, or a bad covariance.
  NonlinearTransition(std::unique_ptr<MeanFunction> mean, const Eigen::MatrixXd& covariance,
                      LearnedScale learn_noise = LearnedScale::kNo);

  /// Q = diag(deviations^2) * dt. Throws std::invalid_argument as above, on a deviation that is not
  /// positive, and when the deviations of a group differ: a group is learned as the deviation
  /// "<name>" common to its states.
  NonlinearTransition(std::unique_ptr<MeanFunction> mean, const ProcessNoise& noise);

  const MeanFunction& mean() const { return *mean_; }
  /// Of one unit of time.
  const CovarianceFactor& noise() const { return noise_; }

  int state_dim() const override { return noise_.dim(); }
  /// The mean's parameters, then the noise's standard deviations.
  const ParameterVector& parameters() const override { return parameters_; }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override;
  void log_density(const StepInput& input, const Eigen::MatrixXd& from, const Eigen::MatrixXd& to,
                   Eigen::VectorXd& out) const override;
  void gradients(const StepInput& input, const Eigen::MatrixXd& from, const Eigen::MatrixXd& to,
                 Eigen::MatrixXd& d_from, Eigen::MatrixXd& d_to) const override;
  void scores(const StepInput& input, const Eigen::MatrixXd& from, const Eigen::MatrixXd& to,
              Eigen::Ref<Eigen::MatrixXd> out) const override;
  void grouped_scores(const StepInput& input, const Eigen::MatrixXd& from,
                      const Eigen::MatrixXd& to, const Eigen::VectorXd& weights,
                      Eigen::Ref<Eigen::MatrixXd> out) const override;
  void sample(const StepInput& input, const Eigen::MatrixXd& from, RandomStream& random,
              Eigen::MatrixXd& to) const override;
  void linearise(const StepInput& input, const Gaussian& at, Linearisation method,
                 AffineGaussian& out) const override;
  bool is_linear() const override { return mean_->is_linear(); }
  /// With m and dm/dtheta replaced by their lines under the distribution of `from`; exact for a
  /// linear mean.
  bool has_closed_form_scores() const override { return true; }
  void expected_scores(const StepInput& input, const AffineGaussian& line,
                       const AffineVariable& from, const AffineVariable& to, int first,
                       QuadraticFunctions& out) const override;
  /// With the same lines.
  bool has_sensitivity() const override { return true; }
  void sensitivity(const StepInput& input, const Gaussian& at, Sensitivity& out) const override;

 private:
  void add_group(const std::string& name, double deviation, double prior_deviation = kScalePrior);
  void join_group(int state, int group);
  void add_mean_scores(const StepInput& input, const AffineVariable& from, int first,
                       QuadraticFunctions& out) const;
  void add_noise_scores(int first, QuadraticFunctions& out) const;
  const CovarianceFactor& noise_of(const StepInput& input) const;

  std::unique_ptr<MeanFunction> mean_;
  CovarianceFactor noise_;
  bool grows_;              // with time
  std::vector<int> group_;  // of each state: the learned deviation that it follows, -1 for none
  int group_count_ = 0;
  int grouped_states_ = 0;  // states that follow any
  Eigen::MatrixXd shape_;   // rows of the noise's factor divided by their group's deviation
  ParameterVector parameters_;

  mutable CovarianceFactor step_noise_;
  mutable Eigen::MatrixXd residual_samples_;
  mutable MeanLineariser lineariser_;
  mutable MeanSensitivity mean_sensitivity_;
  // Scratch of expected_scores: the residual weighed by Q^-1, transposed where a row is needed.
  mutable Gaussian distribution_;
  mutable Eigen::MatrixXd covariance_;
  mutable Eigen::MatrixXd scratch_;
  mutable Eigen::VectorXd residual_;
  mutable Eigen::MatrixXd residual_z_;
  mutable Eigen::MatrixXd residual_e_;
  mutable Eigen::MatrixXd from_z_;
  mutable Eigen::MatrixXd from_with_residual_;
  mutable Eigen::MatrixXd parameter_value_;
  mutable Eigen::MatrixXd parameter_slope_;
  mutable Eigen::VectorXd row_;
  mutable Eigen::VectorXd row_z_;
  mutable Eigen::MatrixXd rows_z_, product_;
};

}  // namespace ovf
