#pragma once

#include <Eigen/Core>

#include "ovf/model/observation.hpp"

namespace ovf {

/// Peaks of prediction times g(y | x) by Gauss-Newton steps, from the quadrature points of the
/// prediction that are the best and lie far from the peaks that are known.
class PeakSearch {
 public:
  /// The points over which peaks are looked for.
  void begin(const Observation& observation, const Eigen::VectorXd& y, const Gaussian& prediction);
  /// No points near this belief any more.
  void exclude(const Gaussian& belief);
  /// The Gaussian at the peak near the best point that is left; false if no point is left, or none
  /// is within `range` nats of the best that there was.
  bool find(const Observation& observation, const Eigen::VectorXd& y, const Gaussian& prediction,
            Gaussian& out);

 private:
  Eigen::MatrixXd points_, offsets_, precision_, prior_precision_, scratch_;
  Eigen::VectorXd heights_, values_, residual_, step_, squares_;
  AffineGaussian line_;
};

}  // namespace ovf
