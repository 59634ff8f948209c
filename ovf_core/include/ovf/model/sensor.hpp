#pragma once

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "ovf/math/student_t.hpp"
#include "ovf/math/student_t_weight.hpp"
#include "ovf/model/mean_function.hpp"
#include "ovf/model/observation.hpp"
#include "ovf/model/sensor_noise.hpp"

namespace ovf {

class SigmaPointMean;

/// One sensor of a robot: y = h(x) + noise. Angles of y are compared on the circle. Heavy tails
/// are a Gaussian whose precision is scaled by an unknown tau ~ Gamma(nu/2, nu/2); its posterior
/// q(tau) is found in closed form, which gives a lower bound of E[log g], no quadrature, and a
/// curvature that is never negative.
class Sensor final : public Observation {
 public:
  struct Spec {
    std::string name;
    std::unique_ptr<MeanFunction> mean;
    SensorNoise noise;
    /// Which entries of y are angles; empty: none.
    std::vector<bool> angles;
  };

  /// Where the mean is a SigmaPointMean, the error of its line is part of the noise; that goes
  /// with Gaussian noise that is not learned alone. Throws std::invalid_argument otherwise, when
  /// the mean is missing or the dimensions do not agree.
  explicit Sensor(Spec spec);
  Sensor(const Sensor&) = delete;  // it may be bound to an input of its own
  Sensor& operator=(const Sensor&) = delete;

  const std::string& name() const { return name_; }
  const MeanFunction& mean() const { return *mean_; }
  /// The noise that learning cannot take away from this parameter, where errors last or do not; 0
  /// where there is none.
  double noise_floor(int parameter, bool errors_last) const {
    if (!noise_.learn_scales || parameter >= observation_dim()) return 0.0;
    return (errors_last ? lasting_floors_ : noise_.floors)[parameter];
  }
  /// Score of log p(y) of the noise parameters, and its expected information, where x has this
  /// distribution before y is seen.
  void predictive_scores(const Eigen::VectorXd& y, const Gaussian& prediction,
                         Eigen::VectorXd& gradient, Eigen::MatrixXd& information) const;

  /// Of h(x), in units of the noise, where x has this distribution.
  void predictive_variances(const Gaussian& prediction, Eigen::VectorXd& variances) const;

  int state_dim() const override { return mean_->input_dim(); }
  int observation_dim() const override { return mean_->output_dim(); }
  void bind(const StepInput& input) const override { input_ = &input; }
  void unwrap(const Eigen::VectorXd& predicted, Eigen::VectorXd& y) const override;
  /// "<name>.noise" (or "<name>.noise[i]"), then "<name>.nu": those that are learned.
  const ParameterVector& parameters() const override { return parameters_; }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override;
  void log_density(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                   Eigen::VectorXd& out) const override;
  void gradient(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                Eigen::MatrixXd& out) const override;
  void scores(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
              Eigen::Ref<Eigen::MatrixXd> out) const override;
  void sample(const Eigen::MatrixXd& x, RandomStream& random, Eigen::MatrixXd& y) const override;
  void linearise(const Gaussian& at, Linearisation method, AffineGaussian& out) const override;
  void expected_derivatives(const Eigen::VectorXd& y, const Gaussian& q,
                            ExpectedDerivatives& out) const override;
  bool has_closed_form_scores() const override { return true; }
  void expected_scores(const Eigen::VectorXd& y, const AffineVariable& at, int first,
                       QuadraticFunctions& out) const override;
  bool has_sensitivity() const override { return true; }
  void sensitivity(const Gaussian& at, Sensitivity& out) const override;
  void add_tail_information(const Eigen::VectorXd& share,
                            Eigen::Ref<Eigen::MatrixXd> information) const override;

 private:
  bool gaussian() const { return noise_.nu == 0.0; }
  /// w = D^-1 L^-1 (y - h) of samples, and log det (L D).
  void whitened_residuals(const Eigen::VectorXd& y, const Eigen::MatrixXd& x) const;
  /// The same with h replaced by its line where x has this distribution: w and W = -dw/dx.
  void whitened_line(const Eigen::VectorXd& y, const Gaussian& q) const;
  /// E_q[log g] and its derivatives with g replaced by its line and the error of that.
  void derivatives_of_line(const Eigen::VectorXd& y, const Gaussian& q,
                           ExpectedDerivatives& out) const;
  /// What depends on the parameters alone.
  void update_constants();
  /// Of the Gaussian that stands for a Student-t: its location has the same Fisher information.
  double widening() const { return gaussian() ? 1.0 : 1.0 / std::sqrt(tails_.gaussian_share); }
  /// D.
  const Eigen::VectorXd& deviations() const {
    return input_->errors_last ? lasting_deviations_ : deviations_;
  }
  void whiten(Eigen::Ref<Eigen::MatrixXd> r) const;
  double log_determinant() const;
  double log_constant() const;
  /// E[tau] given E|w|^2.
  double precision(double square) const;
  /// E[tau w_i^2] and E[log tau - tau] given y: exact for a line h and the Gaussian prediction that
  /// the belief was fitted with.
  bool weigh(double tau) const;
  /// The same where the residual along each of the axes has a mean and a variance before y is seen.
  void weigh_along_axes(double tau) const;
  /// Of nu, after weigh.
  double nu_score() const;

  std::string name_;
  std::unique_ptr<MeanFunction> mean_;
  const SigmaPointMean* sigma_points_;  // the mean, if it is one
  SensorNoise noise_;
  std::vector<bool> angles_;
  Eigen::VectorXd deviations_;
  Eigen::VectorXd lasting_floors_;  // where errors last
  Eigen::VectorXd lasting_deviations_;
  StudentTInformation tails_;
  ParameterVector parameters_;
  StepInput default_input_;
  mutable const StepInput* input_ = nullptr;

  mutable Eigen::MatrixXd residuals_;
  mutable Eigen::VectorXd near_y_;
  mutable Eigen::VectorXd value_;
  mutable Eigen::VectorXd whitened_;
  mutable Eigen::MatrixXd slope_;
  mutable Eigen::MatrixXd spread_;
  mutable Eigen::MatrixXd by_z_;
  mutable Eigen::VectorXd squares_;
  mutable Eigen::VectorXd slopes_;
  mutable StudentTWeight weight_;
  mutable Eigen::MatrixXd residual_covariance_;
  mutable Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes_;
  mutable Eigen::ArrayXd means_;
  mutable Eigen::ArrayXd variances_;
  mutable Eigen::VectorXd weighted_squares_;
  mutable Gaussian distribution_;
  mutable AffineGaussian line_;
};

}  // namespace ovf
