#pragma once

#include <Eigen/Core>

#include "ovf/estimator/messages.hpp"
#include "ovf/math/archive.hpp"

namespace ovf {

/// How much controls change: what is not known of the ones to come.
class ControlVolatility {
 public:
  void see(const Control& control);
  /// Standard deviations of their changes after one second; empty before there was one.
  Eigen::VectorXd deviations() const { return variances_.cwiseSqrt(); }

  void archive(Archive& archive);

 private:
  bool started_ = false;
  Stamp stamp_ = 0;  // of the control that the next one is compared with
  Eigen::VectorXd control_;
  double weight_ = 0.0;  // of the changes so far, in seconds
  Eigen::VectorXd variances_;
};

}  // namespace ovf
