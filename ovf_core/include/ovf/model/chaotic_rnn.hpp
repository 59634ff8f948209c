#pragma once

#include <Eigen/Core>

#include "ovf/math/random.hpp"
#include "ovf/model/mean_function.hpp"

namespace ovf {

/// m(x) = x + (delta / tau) (-x + gamma W tanh x): the chaotic recurrent network of Section 5.2.
class ChaoticRnn final : public MeanFunction {
 public:
  struct Spec {
    Eigen::MatrixXd W;
    double delta = 0.001;
    double tau = 0.025;
    double gamma = 2.5;
    bool learn_W = false;
    bool learn_gamma = false;
    bool learn_tau = false;
  };

  /// Throws std::invalid_argument naming what is not square, not finite or not positive.
  explicit ChaoticRnn(const Spec& spec);
  /// W_ij ~ N(0, 1 / dim), nothing learned.
  static ChaoticRnn random(int dim, RandomStream& random);

  const Eigen::MatrixXd& weights() const { return spec_.W; }

  int input_dim() const override { return static_cast<int>(spec_.W.rows()); }
  int output_dim() const override { return input_dim(); }
  /// "W[i,j]" column by column, "gamma", "tau".
  const ParameterVector& parameters() const override { return parameters_; }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override;
  void values(const StepInput& input, const Eigen::MatrixXd& x,
              Eigen::MatrixXd& out) const override;
  void jacobian(const StepInput& input, const Eigen::VectorXd& x,
                Eigen::MatrixXd& out) const override;
  void pull_back(const StepInput& input, const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                 Eigen::MatrixXd& out) const override;
  void parameter_pull_back(const StepInput& input, const Eigen::MatrixXd& x,
                           const Eigen::MatrixXd& cotangent,
                           Eigen::Ref<Eigen::MatrixXd> out) const override;
  /// tanh acts on each dimension alone: its expectation is a one-dimensional integral.
  void expectation(const StepInput& input, const Gaussian& x, Eigen::VectorXd& value,
                   Eigen::MatrixXd& slope) const override;
  void parameter_expectation(const StepInput& input, const Gaussian& x, Eigen::MatrixXd& value,
                             Eigen::MatrixXd& slope) const override;
  int only_row(int j) const override;

 private:
  int entry_count() const { return spec_.learn_W ? static_cast<int>(spec_.W.size()) : 0; }
  double rate() const { return spec_.delta / spec_.tau; }
  /// E[tanh x_i] and E[1 - tanh^2 x_i].
  void expect_tanh(const Gaussian& x) const;

  Spec spec_;
  ParameterVector parameters_;

  mutable Eigen::ArrayXXd tanh_;
  mutable Eigen::VectorXd mean_tanh_;
  mutable Eigen::VectorXd mean_slope_;
  mutable Eigen::VectorXd recurrent_;
};

}  // namespace ovf
