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

/// E_q[log g], E_q[grad log g] and -E_q[hess log g] for a Gaussian q: what a natural-gradient step
/// on q needs, and by Stein's lemma the second-order Hermite expansion of log g.
struct ExpectedDerivatives {
  double value = 0.0;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd curvature;
  /// True where the curvature is known to be diagonal: noise that is independent from coordinate to
  /// coordinate of the state.
  bool diagonal = false;
  /// How far the observation's mean is from a line under q: E|m - line|^2 in units of the noise.
  /// 0 where it is negligible; where it is large, g may have several peaks.
  double line_error = 0.0;
};

/// How far an observation was from its prediction.
struct InnovationSize {
  double nis = 0.0;          ///< normalised innovation squared
  double log_density = 0.0;  ///< of the observation, as it was predicted
};

/// What the sensor sees: g_theta(y | x) (Eq. 1). Columns of x are samples.
class Observation {
 public:
  virtual ~Observation() = default;

  virtual int state_dim() const = 0;
  virtual int observation_dim() const = 0;
  /// Everything below is about the step with this input until the next call: only an observation
  /// that depends on more than the state (several sensors, a noise of each message) heeds it. The
  /// input has to live as long.
  virtual void bind(const StepInput& /*input*/) const {}
  /// Brings the angles of y within half a turn of those of a predicted observation.
  virtual void unwrap(const Eigen::VectorXd& /*predicted*/, Eigen::VectorXd& /*y*/) const {}
  virtual const ParameterVector& parameters() const = 0;
  virtual void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) = 0;

  virtual void log_density(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                           Eigen::VectorXd& out) const = 0;
  virtual void gradient(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                        Eigen::MatrixXd& out) const = 0;
  /// Gradient of log g with respect to theta (natural values), parameters x samples.
  virtual void scores(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                      Eigen::Ref<Eigen::MatrixXd> out) const = 0;
  virtual void sample(const Eigen::MatrixXd& x, RandomStream& random, Eigen::MatrixXd& y) const = 0;

  /// The affine-Gaussian conditional nearest to g where the state has this distribution: the
  /// predicted observation, its innovation covariance, and the Fisher information of theta.
  virtual void linearise(const Gaussian& at, Linearisation method, AffineGaussian& out) const = 0;

  /// By ObservationQuadrature unless a model knows better.
  virtual void expected_derivatives(const Eigen::VectorXd& y, const Gaussian& q,
                                    ExpectedDerivatives& out) const;
  /// Whether y has so many numbers that a covariance of them is out of reach: then it measures its
  /// innovations itself, and nothing linearises it on the path of a step.
  virtual bool has_many_numbers() const { return false; }
  /// y minus its prediction, and how far that is. Only with many numbers.
  virtual InnovationSize innovation(const Eigen::VectorXd& y, const Gaussian& prediction,
                                    Eigen::VectorXd& out) const;
  /// Whether log g is quadratic in x, so that one natural-gradient step reaches the optimum.
  virtual bool is_conjugate() const { return false; }

  /// Whether log g is a sum of functions of single coordinates of the state.
  virtual bool is_separable() const { return false; }
  /// The function of coordinate i at the given values of it; only if separable.
  virtual void coordinate_log_density(const Eigen::VectorXd& y, int i, const Eigen::ArrayXd& x,
                                      Eigen::ArrayXd& out) const;

  /// Where that function has its peak, and how wide the peak is.
  struct Peak {
    double centre;
    double width;
  };
  virtual Peak coordinate_peak(const Eigen::VectorXd& y, int i) const;

  virtual bool has_closed_form_scores() const { return false; }
  /// out_{first+j} += d log g / d theta_j as functions of z, x = at.constant + at.by_z z.
  virtual void expected_scores(const Eigen::VectorXd& y, const AffineVariable& at, int first,
                               QuadraticFunctions& out) const;
  virtual bool has_sensitivity() const { return false; }
  /// How the predicted observation's mean and covariance move with each parameter.
  virtual void sensitivity(const Gaussian& at, Sensitivity& out) const;
  /// Adds to the information about this observation's parameters what the Gaussian that stands for
  /// its noise does not show: of the tails, and less of the scales. `share[i]`: how much of the
  /// predicted variance of noise component i is noise rather than uncertainty of the state.
  virtual void add_tail_information(const Eigen::VectorXd& /*share*/,
                                    Eigen::Ref<Eigen::MatrixXd> /*information*/) const {}  // NOLINT
};

}  // namespace ovf
