#pragma once

#include <Eigen/Core>

#include "ovf/math/gaussian.hpp"
#include "ovf/math/quadratic_functions.hpp"
#include "ovf/math/random.hpp"
#include "ovf/model/linearisation.hpp"
#include "ovf/model/parameters.hpp"
#include "ovf/model/sensitivity.hpp"
#include "ovf/model/step_input.hpp"

namespace ovf {

/// How the state moves: f_theta(x' | x, u, dt) (Eq. 1), with additive or other noise.
/// Columns are samples: `from` holds x_{t-1}, `to` holds x_t. Output arguments are resized.
class Transition {
 public:
  virtual ~Transition() = default;

  virtual int state_dim() const = 0;
  virtual const ParameterVector& parameters() const = 0;
  virtual void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) = 0;

  virtual void log_density(const StepInput& input, const Eigen::MatrixXd& from,
                           const Eigen::MatrixXd& to, Eigen::VectorXd& out) const = 0;
  /// Gradients of log f with respect to x_{t-1} and x_t.
  virtual void gradients(const StepInput& input, const Eigen::MatrixXd& from,
                         const Eigen::MatrixXd& to, Eigen::MatrixXd& d_from,
                         Eigen::MatrixXd& d_to) const = 0;
  /// Gradient of log f with respect to theta (natural values), parameters x samples.
  virtual void scores(const StepInput& input, const Eigen::MatrixXd& from,
                      const Eigen::MatrixXd& to, Eigen::Ref<Eigen::MatrixXd> out) const = 0;
  /// The same, weighed and summed over groups of consecutive samples, one column of out for each
  /// group: cheaper where there are many parameters.
  virtual void grouped_scores(const StepInput& input, const Eigen::MatrixXd& from,
                              const Eigen::MatrixXd& to, const Eigen::VectorXd& weights,
                              Eigen::Ref<Eigen::MatrixXd> out) const;
  virtual void sample(const StepInput& input, const Eigen::MatrixXd& from, RandomStream& random,
                      Eigen::MatrixXd& to) const = 0;

  /// The affine-Gaussian conditional nearest to f where the state has this distribution; f itself
  /// for a linear-Gaussian model. `out` is resized once and then reused.
  virtual void linearise(const StepInput& input, const Gaussian& at, Linearisation method,
                         AffineGaussian& out) const = 0;

  virtual bool is_linear() const { return false; }

  /// Whether expected_scores is implemented (S in closed form).
  virtual bool has_closed_form_scores() const { return false; }
  /// out_{first+j} += E_e[d log f / d theta_j] as functions of z. `line` is what the step took f
  /// for: residuals are those from it, so that S is consistent with the posterior.
  virtual void expected_scores(const StepInput& input, const AffineGaussian& line,
                               const AffineVariable& from, const AffineVariable& to, int first,
                               QuadraticFunctions& out) const;
  virtual bool has_sensitivity() const { return false; }
  /// How the prediction's mean and covariance move with each parameter.
  virtual void sensitivity(const StepInput& input, const Gaussian& at, Sensitivity& out) const;
};

}  // namespace ovf
