#pragma once

#include <Eigen/Core>
#include <vector>

#include "ovf/filter/filter.hpp"
#include "ovf/model/linearisation.hpp"
#include "ovf/model/state_space_model.hpp"

namespace ovf {

/// An observation against a Gaussian prediction N(m, P) of the state, through an affine-Gaussian g
/// with matrix G and noise V. Holds its scratch space; repeated use allocates nothing.
class KalmanGain {
 public:
  /// False if a number is not finite or G P G' + V is not positive definite; the results are then
  /// not to be used.
  bool compute(const Gaussian& prediction, const AffineGaussian& g, const Eigen::VectorXd& y);

  /// No observation: an empty innovation and no evidence; the gain is not to be used.
  void clear();

  /// y minus its prediction, and the normalised innovation squared.
  const Eigen::VectorXd& innovation() const { return innovation_; }
  double nis() const { return nis_; }
  /// log N(y; G m + offset, G P G' + V).
  double log_evidence() const { return log_evidence_; }
  /// P G' (G P G' + V)^-1.
  const Eigen::MatrixXd& gain() const { return gain_; }
  /// G L, where P = L L'.
  const Eigen::MatrixXd& observed_factor() const { return observed_factor_; }

 private:
  Eigen::VectorXd innovation_;
  double nis_ = 0.0;
  double log_evidence_ = 0.0;
  Eigen::MatrixXd gain_;
  Eigen::MatrixXd observed_factor_;
  CovarianceFactor factor_;
  Eigen::VectorXd whitened_;
  Eigen::MatrixXd covariance_;
  Eigen::MatrixXd gain_t_;
  Eigen::MatrixXd scratch_;
};

/// The Kalman filter: the exact posterior and log evidence of a linear-Gaussian model (`elbo` of
/// its results is the log evidence). For other models the linearisation names the filter: tangents
/// give the extended Kalman filter; moments, a regression line over sigma points with the error of
/// the line in the noise, give the unscented (cubature) Kalman filter, whose predicted means,
/// covariances and cross-covariances are the same.
class KalmanFilter final : public Filter {
 public:
  explicit KalmanFilter(StateSpaceModel model, Linearisation method = Linearisation::kTangent);

  using Filter::step;
  const StepResult& step(const Eigen::VectorXd& y, const StepInput& input) override;
  const StepResult& skip(const StepInput& input) override;
  const Gaussian& belief() const override { return belief_; }
  const Eigen::VectorXd& parameters() const override { return model_.parameters().values(); }
  const StateSpaceModel& model() const { return model_; }

 private:
  /// An empty y stands for no observation.
  const StepResult& advance(const Eigen::VectorXd& y, const StepInput& input);
  bool move(const StepInput& input);
  bool update();
  const StepResult& reject(const char* reason);

  StateSpaceModel model_;
  Linearisation method_;
  Gaussian belief_;
  StepResult result_;

  Gaussian prediction_;
  AffineGaussian transition_;
  AffineGaussian observation_;
  Eigen::VectorXd predicted_observation_, near_y_;
  KalmanGain gain_;
  Eigen::VectorXd mean_;
  Eigen::MatrixXd root_;
  Eigen::MatrixXd covariance_;
  Eigen::MatrixXd scratch_;
};

/// Beliefs of a whole sequence: filtered p(x_t | y^t), smoothed p(x_t | y^T), and the backward
/// kernels p(x_{t-1} | y^{t-1}, x_t) of steps 2 ... T.
struct SmoothedSequence {
  std::vector<Gaussian> filtered;
  std::vector<Gaussian> smoothed;
  std::vector<AffineGaussian> kernels;
  double log_evidence = 0.0;
};

/// The Rauch-Tung-Striebel smoother over observations in columns. Throws std::invalid_argument on
/// an observation that the filter cannot use.
SmoothedSequence rts_smoother(StateSpaceModel model, const Eigen::MatrixXd& observations,
                              Linearisation method = Linearisation::kTangent);

}  // namespace ovf
