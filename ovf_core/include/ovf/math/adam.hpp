#pragma once

#include <Eigen/Core>

#include "ovf/math/archive.hpp"

namespace ovf {

/// Adam (Kingma and Ba, 2015) for minimisation, with the usual constants.
class Adam {
 public:
  explicit Adam(Eigen::Index parameters)
      : first_(Eigen::ArrayXd::Zero(parameters)), second_(Eigen::ArrayXd::Zero(parameters)) {}

  void step(const Eigen::VectorXd& gradient, double learning_rate, Eigen::VectorXd& parameters);

  void archive(Archive& archive);

 private:
  static constexpr double kBeta1 = 0.9;
  static constexpr double kBeta2 = 0.999;
  static constexpr double kEpsilon = 1e-8;

  Eigen::ArrayXd first_;
  Eigen::ArrayXd second_;
  // beta^steps, for the bias corrections.
  double decay1_ = 1.0;
  double decay2_ = 1.0;
};

}  // namespace ovf
