#pragma once

#include <Eigen/Core>

#include "ovf/model/state_space_model.hpp"

namespace ovf {

/// An observation that a step was given, and its input; y is empty where there was none.
struct GivenObservation {
  const Eigen::VectorXd& y;
  const StepInput& input;
};

/// Draws of x_t and x_{t-1} from q_t (columns; no x_{t-1} at the first step), and the log densities
/// of q_t(x_t) and q_t(x_{t-1} | x_t) there.
struct JointDraws {
  Eigen::MatrixXd to, from;
  Eigen::VectorXd log_marginal, log_kernel;

  // By `weigh`:
  /// The model's log density of x_{t-1} and of x_t given x_{t-1}, less that of q_t(x_{t-1} | x_t).
  Eigen::VectorXd log_past;
  /// The log density of the observation less that of q_t(x_t).
  Eigen::VectorXd log_now;
  /// Their sum, and the same as shares: self-normalised importance weights.
  Eigen::VectorXd log_weights, weights;

  /// The weights of x_{t-1} and x_t where x_{t-2} was drawn, too, and has a Gaussian before it in
  /// the place of x_{t-1}: nearer to what the model says of x_{t-1}. By `weigh_further_back`.
  Eigen::VectorXd further_weights;

  /// Effective sample size as a share of the draws.
  double efficiency() const;
  /// Of the log weights.
  double log_variance() const;

  /// Weighs the draws by the model of the step. Before f stands a Gaussian, the prior at the first
  /// step, and with it `last`, the observation of the step before.
  void weigh(const StateSpaceModel& model, const GivenObservation& now, const Gaussian& before,
             const GivenObservation& last);
  /// `earlier`: x_{t-2} drawn given x_{t-1}. `replaced` stood before f so far; now `before` and
  /// `last`, the observation of x_{t-2}, stand before the f of the step before (`input`).
  void weigh_further_back(const StateSpaceModel& model, const Eigen::MatrixXd& earlier,
                          const Eigen::VectorXd& log_earlier_kernel, const Gaussian& replaced,
                          const StepInput& input, const Gaussian& before,
                          const GivenObservation& last);

 private:
  Eigen::MatrixXd residual_;
  Eigen::VectorXd values_, log_further_;
};

/// Log density of L z for each column of standard normals z.
void log_density_of_noise(const CovarianceFactor& factor, const Eigen::MatrixXd& z,
                          Eigen::VectorXd& out);
/// Log density at each column of x.
void log_density_at(const Gaussian& gaussian, const Eigen::MatrixXd& x, Eigen::MatrixXd& scratch,
                    Eigen::VectorXd& out);

}  // namespace ovf
