#pragma once

#include <Eigen/Core>

namespace ovf {

/// x in the middle, never beyond +-limit: limit * tanh(x / limit).
inline void soft_limit(double limit, Eigen::Ref<Eigen::VectorXd> x) {
  x = limit * (x.array() / limit).tanh();
}

/// Multiplies a gradient by the slope of it where it has the given values.
inline void multiply_by_limit_slope(double limit, const Eigen::Ref<const Eigen::VectorXd>& values,
                                    Eigen::Ref<Eigen::VectorXd> gradient) {
  gradient.array() *= 1.0 - (values.array() / limit).square();
}

}  // namespace ovf
