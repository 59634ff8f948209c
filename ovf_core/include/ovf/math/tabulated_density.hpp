#pragma once

#include <Eigen/Core>

namespace ovf {

/// A one-dimensional density that is linear between equidistant points and zero outside: any log
/// density up to a constant, made into one that can be drawn from and evaluated exactly.
class TabulatedDensity {
 public:
  /// Log densities at `first`, `first` + spacing, ...; at least two, one of them finite.
  void assign(double first, double spacing, const Eigen::Ref<const Eigen::ArrayXd>& log_values);

  /// The quantile of u in [0, 1), and the log density there.
  double quantile(double u, double& log_density) const;

 private:
  double first_ = 0.0;
  double spacing_ = 1.0;
  Eigen::ArrayXd values_;      // relative to the largest
  Eigen::ArrayXd cumulative_;  // in units of the spacing
};

}  // namespace ovf
