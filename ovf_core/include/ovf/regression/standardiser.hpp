#pragma once

#include <Eigen/Core>

#include "ovf/math/archive.hpp"

namespace ovf {

/// Mean and standard deviation of each row of some samples; a constant row has deviation 1.
struct Standardiser {
  Standardiser() = default;
  explicit Standardiser(const Eigen::MatrixXd& samples);

  void apply(const Eigen::MatrixXd& samples, Eigen::MatrixXd& standard) const;
  void archive(Archive& archive, int rows);

  Eigen::VectorXd mean;
  Eigen::VectorXd deviation;
};

}  // namespace ovf
