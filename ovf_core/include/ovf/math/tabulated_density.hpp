#pragma once

#include <Eigen/Core>

namespace ovf {

/// A one-dimensional density that is linear between given points and zero outside: any log density
/// up to a constant, made into one that can be drawn from and evaluated exactly.
class TabulatedDensity {
 public:
  /// Log densities at ascending points; at least two, one of them finite. Allocates nothing unless
  /// there are more of them than before.
  void assign(const Eigen::Ref<const Eigen::ArrayXd>& points,
              const Eigen::Ref<const Eigen::ArrayXd>& log_values);

  /// The quantile of u in [0, 1), and the log density there.
  double quantile(double u, double& log_density) const;

 private:
  Eigen::Index cells_ = 0;  // up to the last that is not empty
  double total_ = 0.0;
  Eigen::ArrayXd points_;
  Eigen::ArrayXd values_;  // relative to the largest
  Eigen::ArrayXd areas_;   // of cells
};

}  // namespace ovf
