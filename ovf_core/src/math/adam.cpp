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

void Adam::archive(Archive& archive) {
  archive.vector("Adam's first moments", first_, first_.size());
  archive.require_finite("Adam's first moments", first_);
  archive.vector("Adam's second moments", second_, second_.size());
  archive.require_finite("Adam's second moments", second_);
  archive.require((second_ >= 0.0).all(), "Adam's second moments", "numbers not below 0");
  for (double* decay : {&decay1_, &decay2_}) {
    archive.number("Adam's decay", *decay);
    archive.require(*decay >= 0.0 && *decay <= 1.0, "Adam's decay", "a number from 0 to 1");
  }
}

}  // namespace ovf
