#pragma once

#include <Eigen/Core>
#include <functional>

#include "ovf/model/mean_function.hpp"

namespace ovf {

/// A mean given as functions of one state: the shortest way to a model of one's own. Derivatives
/// that are not given are central differences.
class FunctionMean final : public MeanFunction {
 public:
  /// Of the state, the parameters' values (empty without parameters), and control and dt.
  using Value = std::function<Eigen::VectorXd(
      const Eigen::VectorXd& x, const Eigen::VectorXd& theta, const StepInput& input)>;
  using Jacobian = std::function<Eigen::MatrixXd(
      const Eigen::VectorXd& x, const Eigen::VectorXd& theta, const StepInput& input)>;

  struct Spec {
    int input_dim = 0;
    int output_dim = 0;
    Value value = {};
    /// dm/dx.
    Jacobian jacobian = {};
    ParameterVector parameters = {};
    /// dm/dtheta.
    Jacobian parameter_jacobian = {};
  };

  /// Throws std::invalid_argument when there is no value function or a dimension is not positive.
  explicit FunctionMean(Spec spec);

  int input_dim() const override { return spec_.input_dim; }
  int output_dim() const override { return spec_.output_dim; }
  const ParameterVector& parameters() const override { return spec_.parameters; }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override;
  /// This and the functions below throw std::invalid_argument when a user function returns a
  /// wrong size.
  void values(const StepInput& input, const Eigen::MatrixXd& x,
              Eigen::MatrixXd& out) const override;
  void jacobian(const StepInput& input, const Eigen::VectorXd& x,
                Eigen::MatrixXd& out) const override;
  void pull_back(const StepInput& input, const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                 Eigen::MatrixXd& out) const override;
  void parameter_pull_back(const StepInput& input, const Eigen::MatrixXd& x,
                           const Eigen::MatrixXd& cotangent,
                           Eigen::Ref<Eigen::MatrixXd> out) const override;

 private:
  Eigen::VectorXd value(const StepInput& input, const Eigen::VectorXd& x,
                        const Eigen::VectorXd& theta) const;
  Eigen::MatrixXd parameter_jacobian(const StepInput& input, const Eigen::VectorXd& x) const;

  Spec spec_;
};

}  // namespace ovf
