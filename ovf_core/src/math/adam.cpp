#include "ovf/math/adam.hpp"

#include <cmath>

namespace ovf {

void Adam::step(const Eigen::VectorXd& gradient, double learning_rate,
                Eigen::VectorXd& parameters) {
  decay1_ *= kBeta1;
  decay2_ *= kBeta2;
  first_ = kBeta1 * first_ + (1.0 - kBeta1) * gradient.array();
  second_ = kBeta2 * second_ + (1.0 - kBeta2) * gradient.array().square();
  const double step_size = learning_rate / (1.0 - decay1_);
  const double correction = 1.0 / std::sqrt(1.0 - decay2_);
  parameters.array() -= step_size * first_ / (second_.sqrt() * correction + kEpsilon);
}

}  // namespace ovf
