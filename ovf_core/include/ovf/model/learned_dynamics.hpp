#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ovf/model/mean_function.hpp"
#include "ovf/model/motion.hpp"
#include "ovf/model/residual_function.hpp"

namespace ovf {

enum class ResidualFamily { kFeatures, kNetwork };

struct LearnedDynamicsSpec {
  std::shared_ptr<const Motion> motion;
  /// Of the whole state.
  int state_dim = 0;
  ResidualFamily family = ResidualFamily::kFeatures;
  /// Features: 1 or 2.
  int degree = 2;
  /// Network: units of the hidden layer, and the seed of their first weights.
  int hidden = 4;
  std::uint64_t seed = 1;
  /// What makes the motion's residual inputs of order one; empty: ones.
  std::vector<double> input_scales = {};
  /// Of each weight, in units of the residual; 0: as the learner is configured.
  double prior_deviation = 0.2;
  std::string name = "dynamics";
};

/// The whole state's step of a motion with a residual r_w added to the body's velocities. Its
/// weights are theta, and the residual is zero at first: it starts as the motion alone. Like
/// DualMean, its expectation under a Gaussian is its tangent at the mean.
class LearnedDynamics final : public MeanFunction {
 public:
  /// Throws std::invalid_argument on a motion without a residual, or on scales that do not fit.
  explicit LearnedDynamics(const LearnedDynamicsSpec& spec);

  int input_dim() const override { return state_dim_; }
  int output_dim() const override { return state_dim_; }
  const ParameterVector& parameters() const override { return parameters_; }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override {
    parameters_.set_values(values);
  }

  void values(const StepInput& input, const Eigen::MatrixXd& x,
              Eigen::MatrixXd& out) const override;
  void jacobian(const StepInput& input, const Eigen::VectorXd& x,
                Eigen::MatrixXd& out) const override;
  void pull_back(const StepInput& input, const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                 Eigen::MatrixXd& out) const override;
  void parameter_pull_back(const StepInput& input, const Eigen::MatrixXd& x,
                           const Eigen::MatrixXd& cotangent,
                           Eigen::Ref<Eigen::MatrixXd> out) const override;
  void expectation(const StepInput& input, const Gaussian& x, Eigen::VectorXd& value,
                   Eigen::MatrixXd& slope) const override;
  void parameter_expectation(const StepInput& input, const Gaussian& x, Eigen::MatrixXd& value,
                             Eigen::MatrixXd& slope) const override;

 private:
  /// inputs_, residual_ and residual_slope_ at x.
  void look_at(const StepInput& input, const double* x) const;
  /// dual_out_ with its derivatives by states first to first + count - 1, after look_at: the
  /// residual moves with them, and is off by `shift` in entry `shifted`.
  void dual_step(const StepInput& input, const Eigen::VectorXd& x, int first, int count,
                 int shifted, double shift) const;
  /// by_residual_: dm/dr, after look_at.
  void residual_effect(const StepInput& input, const Eigen::VectorXd& x) const;
  /// d/dx of by_residual_, and d/dx of the inputs, after look_at.
  void bend_of_effect(const StepInput& input, const Eigen::VectorXd& x) const;

  std::shared_ptr<const Motion> motion_;
  int state_dim_;
  int own_dim_ = 0;  // the motion's part of the state
  int residual_dim_ = 0;
  Eigen::VectorXd scales_;
  std::unique_ptr<ResidualFunction> residual_function_;
  ParameterVector parameters_;

  mutable Eigen::VectorXd inputs_;
  mutable Eigen::VectorXd residual_;
  mutable Eigen::MatrixXd residual_slope_;  // by the inputs
  mutable std::vector<Dual> dual_in_, dual_inputs_, dual_residual_, dual_out_;
  mutable Eigen::MatrixXd jacobian_;
  mutable Eigen::VectorXd point_;
  mutable Eigen::VectorXd cotangent_;
  mutable Eigen::MatrixXd by_residual_;
  mutable Eigen::MatrixXd by_residual_and_state_;  // column i: d2m / dr_i dx, column by column
  mutable Eigen::MatrixXd inputs_slope_;           // by the state
  mutable Eigen::MatrixXd by_weight_;
  mutable Eigen::MatrixXd by_weight_and_input_;
  mutable Eigen::MatrixXd through_inputs_;
};

}  // namespace ovf
