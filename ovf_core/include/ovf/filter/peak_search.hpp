#pragma once

#include <Eigen/Core>

#include "ovf/model/observation.hpp"

namespace ovf {

/// Where else than at a belief the posterior may be: peaks of prediction times g(y | x) by
/// Gauss-Newton steps, from the quadrature points of the prediction that are the best and lie far
/// from the peaks that are known.
class PeakSearch {
 public:
  /// Takes quadrature points over the prediction.
  void begin(const Observation& observation, const Eigen::VectorXd& y, const Gaussian& prediction);
  /// No points near this belief any more.
  void exclude(const Gaussian& belief);
  /// The evidence of y that lies far from this belief, by the points: E[g] over them.
  double far_evidence(const Gaussian& belief);
  /// The Gaussian at the peak near the best point that is left; false if no point is left.
  bool find(const Observation& observation, const Eigen::VectorXd& y, const Gaussian& prediction,
            Gaussian& out);

 private:
  void measure_distances(const Gaussian& belief);

  Eigen::MatrixXd points_, offsets_, precision_, prior_precision_, scratch_;
  Eigen::VectorXd heights_, log_g_, values_, residual_, step_, squares_;
  double limit_ = 0.0;
  AffineGaussian line_;
};

}  // namespace ovf
