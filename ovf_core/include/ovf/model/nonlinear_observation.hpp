#pragma once

#include <Eigen/Core>
#include <memory>

#include "ovf/model/mean_function.hpp"
#include "ovf/model/mean_lineariser.hpp"
#include "ovf/model/mean_sensitivity.hpp"
#include "ovf/model/observation.hpp"
#include "ovf/model/observation_noise.hpp"
#include "ovf/model/observation_quadrature.hpp"

namespace ovf {

/// y = m(x) + noise, independent in each dimension, Gaussian or Student-t.
class NonlinearObservation final : public Observation {
 public:
  /// Throws std::invalid_argument when the mean is missing or the noise has another dimension.
  NonlinearObservation(std::unique_ptr<MeanFunction> mean, ObservationNoise noise);

  const MeanFunction& mean() const { return *mean_; }
  const ObservationNoise& noise() const { return noise_; }

  int state_dim() const override { return mean_->input_dim(); }
  int observation_dim() const override { return mean_->output_dim(); }
  void bind(const StepInput& input) const override { input_ = input; }
  /// The mean's parameters, then the noise's.
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
  /// One-dimensional integrals over each residual where the line of m under q is as good as m,
  /// which costs less than a hundredth of a nat; of m itself, by ObservationQuadrature, elsewhere.
  void expected_derivatives(const Eigen::VectorXd& y, const Gaussian& q,
                            ExpectedDerivatives& out) const override;
  bool is_conjugate() const override;
  /// Each number of y sees one coordinate of x.
  bool is_separable() const override { return mean_->has_unit_slope(); }
  void coordinate_log_density(const Eigen::VectorXd& y, int i, const Eigen::ArrayXd& x,
                              Eigen::ArrayXd& out) const override;
  Peak coordinate_peak(const Eigen::VectorXd& y, int i) const override;
  bool has_closed_form_scores() const override;
  void expected_scores(const Eigen::VectorXd& y, const AffineVariable& at, int first,
                       QuadraticFunctions& out) const override;
  /// With the same lines.
  bool has_sensitivity() const override { return has_closed_form_scores(); }
  void sensitivity(const Gaussian& at, Sensitivity& out) const override;
  void add_tail_information(const Eigen::VectorXd& share,
                            Eigen::Ref<Eigen::MatrixXd> information) const override;

 private:
  void update_offset();
  void residuals(const Eigen::VectorXd& y, const Eigen::MatrixXd& x) const;
  void add_mean_scores(const AffineVariable& at, int first, QuadraticFunctions& out) const;
  double line_error(const Gaussian& q) const;

  std::unique_ptr<MeanFunction> mean_;
  ObservationNoise noise_;
  CovarianceFactor gaussian_noise_;
  ParameterVector parameters_;
  Eigen::VectorXd offset_;  // of a mean with unit slope
  mutable StepInput input_;

  mutable MeanLineariser lineariser_;
  mutable MeanSensitivity mean_sensitivity_;
  mutable Eigen::MatrixXd residual_samples_;
  mutable Eigen::VectorXd residual_;
  mutable Eigen::VectorXd spread_;
  mutable Eigen::MatrixXd slope_;
  mutable Eigen::MatrixXd scaled_;
  mutable ResidualExpansion expansion_;
  mutable Cubature cubature_;
  mutable ObservationQuadrature quadrature_;
  // Scratch of expected_scores; by_z transposed so that a residual is a contiguous column.
  mutable Gaussian distribution_;
  mutable Eigen::MatrixXd covariance_;
  mutable Eigen::MatrixXd residual_z_;
  mutable Eigen::MatrixXd residual_e_;
  mutable Eigen::MatrixXd at_z_;
  mutable Eigen::MatrixXd at_with_residual_;
  mutable Eigen::MatrixXd parameter_value_;
  mutable Eigen::MatrixXd parameter_slope_;
  mutable Eigen::VectorXd row_;
  mutable Eigen::VectorXd row_z_;
};

}  // namespace ovf
