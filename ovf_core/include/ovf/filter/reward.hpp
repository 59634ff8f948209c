#pragma once

#include <Eigen/Core>

#include "ovf/filter/step_record.hpp"

namespace ovf {

/// r_t(x_{t-1}, x_t) = log f g q_{t-1}(x_{t-1}) / (q_t(x_{t-1} | x_t) q_t(x_t)) (Eq. 11), and at
/// the first step log mu g / q_1, for samples in columns (x_{t-1} is ignored at the first step).
class Reward {
 public:
  void values(const StateSpaceModel& model, const StepRecord& record, const Eigen::MatrixXd& from,
              const Eigen::MatrixXd& to, Eigen::VectorXd& out);

  /// Gradients of the numerator log f g q_{t-1} (log mu g at the first step) with respect to
  /// x_{t-1} and x_t, each with the other fixed.
  void target_gradients(const StateSpaceModel& model, const StepRecord& record,
                        const Eigen::MatrixXd& from, const Eigen::MatrixXd& to,
                        Eigen::MatrixXd& d_from, Eigen::MatrixXd& d_to);

 private:
  Eigen::VectorXd term_;
  Eigen::MatrixXd gradient_;
  Eigen::MatrixXd residual_;
};

}  // namespace ovf
