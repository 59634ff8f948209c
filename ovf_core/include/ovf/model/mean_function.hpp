#pragma once

#include <Eigen/Core>

#include "ovf/math/gaussian.hpp"
#include "ovf/model/parameters.hpp"
#include "ovf/model/step_input.hpp"

namespace ovf {

/// A function of the state with parameters, m_theta(x, u, dt): the mean of a transition or of an
/// observation. Columns are samples. Output arguments are resized.
class MeanFunction {
 public:
  virtual ~MeanFunction() = default;

  virtual int input_dim() const = 0;
  virtual int output_dim() const = 0;
  virtual const ParameterVector& parameters() const = 0;
  virtual void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) = 0;

  virtual void values(const StepInput& input, const Eigen::MatrixXd& x,
                      Eigen::MatrixXd& out) const = 0;
  /// dm/dx at one point.
  virtual void jacobian(const StepInput& input, const Eigen::VectorXd& x,
                        Eigen::MatrixXd& out) const = 0;
  /// (dm/dx)' c for each sample.
  virtual void pull_back(const StepInput& input, const Eigen::MatrixXd& x,
                         const Eigen::MatrixXd& cotangent, Eigen::MatrixXd& out) const = 0;
  /// (dm/dtheta)' c for each sample, parameters x samples.
  virtual void parameter_pull_back(const StepInput& input, const Eigen::MatrixXd& x,
                                   const Eigen::MatrixXd& cotangent,
                                   Eigen::Ref<Eigen::MatrixXd> out) const = 0;
  /// The same, summed over groups of consecutive samples, one column of out for each group: cheaper
  /// where there are many parameters.
  virtual void grouped_parameter_pull_back(const StepInput& input, const Eigen::MatrixXd& x,
                                           const Eigen::MatrixXd& cotangent,
                                           Eigen::Ref<Eigen::MatrixXd> out) const;

  /// E[m(x)] and E[dm/dx] for a Gaussian x: by cubature and Stein's lemma unless a function knows
  /// better.
  virtual void expectation(const StepInput& input, const Gaussian& x, Eigen::VectorXd& value,
                           Eigen::MatrixXd& slope) const;
  /// The same of dm/dtheta: column j of value is E[dm/dtheta_j], columns j d to (j + 1) d - 1 of
  /// slope are E[d2m / dtheta_j dx]. Of a parameter with only_row(j) >= 0 only that row is set.
  virtual void parameter_expectation(const StepInput& input, const Gaussian& x,
                                     Eigen::MatrixXd& value, Eigen::MatrixXd& slope) const;

  /// The one output that parameter j acts on, -1 for several: makes the score of a matrix entry
  /// cheaper by the dimension.
  virtual int only_row(int /*j*/) const { return -1; }
  virtual bool is_linear() const { return false; }
  /// Whether dm/dx is always the identity.
  virtual bool has_unit_slope() const { return false; }
};

}  // namespace ovf
