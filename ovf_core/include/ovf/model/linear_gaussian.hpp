#pragma once

#include <Eigen/Core>
#include <string>

#include "ovf/model/linear_conditional.hpp"
#include "ovf/model/state_space_model.hpp"

namespace ovf {

/// The linear-Gaussian model of Section 5.1: f = N(F x, U), g = N(G x, V); theta is any part of it.
struct LinearGaussianSpec {
  Gaussian prior;
  Eigen::MatrixXd F, G, U, V;
  Learned learn_F = Learned::kNo;
  Learned learn_G = Learned::kNo;
  Learned learn_U = Learned::kNo;
  Learned learn_V = Learned::kNo;
};

/// Throws std::invalid_argument naming the matrix and what was expected of it.
StateSpaceModel make_linear_gaussian(const LinearGaussianSpec& spec);

class LinearTransition final : public Transition {
 public:
  explicit LinearTransition(const LinearConditional::Spec& spec);

  int state_dim() const override { return conditional_.affine().noise.dim(); }
  const ParameterVector& parameters() const override { return conditional_.parameters(); }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override;
  void log_density(const StepInput& input, const Eigen::MatrixXd& from, const Eigen::MatrixXd& to,
                   Eigen::VectorXd& out) const override;
  void gradients(const StepInput& input, const Eigen::MatrixXd& from, const Eigen::MatrixXd& to,
                 Eigen::MatrixXd& d_from, Eigen::MatrixXd& d_to) const override;
  void scores(const StepInput& input, const Eigen::MatrixXd& from, const Eigen::MatrixXd& to,
              Eigen::Ref<Eigen::MatrixXd> out) const override;
  void sample(const StepInput& input, const Eigen::MatrixXd& from, RandomStream& random,
              Eigen::MatrixXd& to) const override;
  void linearise(const StepInput& input, const Gaussian& at, Linearisation method,
                 AffineGaussian& out) const override;
  bool is_linear() const override { return true; }
  bool has_closed_form_scores() const override { return true; }
  void expected_scores(const StepInput& input, const AffineGaussian& line,
                       const AffineVariable& from, const AffineVariable& to, int first,
                       QuadraticFunctions& out) const override;
  bool has_sensitivity() const override { return true; }
  void sensitivity(const StepInput& input, const Gaussian& at, Sensitivity& out) const override;

 private:
  LinearConditional conditional_;
};

class LinearObservation final : public Observation {
 public:
  explicit LinearObservation(const LinearConditional::Spec& spec);

  int state_dim() const override { return static_cast<int>(conditional_.affine().matrix.cols()); }
  int observation_dim() const override { return conditional_.affine().noise.dim(); }
  const ParameterVector& parameters() const override { return conditional_.parameters(); }
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
  bool is_conjugate() const override { return true; }
  bool has_closed_form_scores() const override { return true; }
  void expected_scores(const Eigen::VectorXd& y, const AffineVariable& at, int first,
                       QuadraticFunctions& out) const override;
  bool has_sensitivity() const override { return true; }
  void sensitivity(const Gaussian& at, Sensitivity& out) const override;

 private:
  LinearConditional conditional_;
  mutable Eigen::VectorXd residual_;
  mutable Eigen::MatrixXd weighted_residual_;
  mutable Eigen::MatrixXd whitened_matrix_;
  mutable Eigen::MatrixXd whitened_spread_;
  mutable AffineVariable observed_;
};

}  // namespace ovf
