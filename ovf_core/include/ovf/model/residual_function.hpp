#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ovf/model/motion.hpp"
#include "ovf/model/parameters.hpp"

namespace ovf {

/// r_w(u): some outputs of some inputs, with weights w. Output arguments are resized.
class ResidualFunction {
 public:
  virtual ~ResidualFunction() = default;

  /// The weights' names and first values, with which r is zero.
  virtual const ParameterVector& start() const = 0;
  /// r and dr/du.
  virtual void evaluate(const Eigen::VectorXd& w, const Eigen::VectorXd& u, Eigen::VectorXd& value,
                        Eigen::MatrixXd& slope) const = 0;
  /// Column j of value is dr/dw_j; with n inputs, columns j n to (j + 1) n - 1 of slope are
  /// d2r / dw_j du.
  virtual void weight_derivatives(const Eigen::VectorXd& w, const Eigen::VectorXd& u,
                                  Eigen::MatrixXd& value, Eigen::MatrixXd& slope) const = 0;
};

/// What the weights of an output and its inputs are called, and how large they may be.
struct ResidualNames {
  std::string prefix;
  std::vector<std::string> outputs;
  std::vector<ResidualInput> inputs;
  double prior_deviation = 0.0;
};

/// Linear in w: the constant and the inputs; at degree 2 also the squares u^2, the drags u |u| and
/// the products of those inputs that have products. "<prefix>.<output>[<feature>]".
std::unique_ptr<ResidualFunction> make_residual_features(const ResidualNames& names, int degree);

/// One hidden layer of tanh, random at first, and a last layer that is zero at first:
/// "<prefix>.unit<k>[<input>]" and "<prefix>.<output>[unit<k>]"; the input or unit "1" is the
/// constant.
std::unique_ptr<ResidualFunction> make_residual_network(const ResidualNames& names, int hidden,
                                                        std::uint64_t seed);

}  // namespace ovf
