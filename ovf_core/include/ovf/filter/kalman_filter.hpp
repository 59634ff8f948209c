#pragma once

#include <Eigen/Core>
#include <vector>

#include "ovf/filter/filter.hpp"
#include "ovf/model/state_space_model.hpp"

namespace ovf {

/// The Kalman filter: the exact posterior and log evidence of a linear-Gaussian model (`elbo` of
/// its results is the log evidence). For other models, the extended Kalman filter.
class KalmanFilter final : public Filter {
 public:
  explicit KalmanFilter(StateSpaceModel model);

  using Filter::step;
  const StepResult& step(const Eigen::VectorXd& y, const StepInput& input) override;
  const Gaussian& belief() const override { return belief_; }
  const Eigen::VectorXd& parameters() const override { return model_.parameters().values(); }
  const StateSpaceModel& model() const { return model_; }

 private:
  StateSpaceModel model_;
  Gaussian belief_;
  StepResult result_;
  AffineGaussian transition_;
  AffineGaussian observation_;
};

/// Beliefs of a whole sequence: filtered p(x_t | y^t), smoothed p(x_t | y^T), and the backward
/// kernels p(x_{t-1} | y^{t-1}, x_t) of steps 2 ... T.
struct SmoothedSequence {
  std::vector<Gaussian> filtered;
  std::vector<Gaussian> smoothed;
  std::vector<AffineGaussian> kernels;
  double log_evidence = 0.0;
};

/// The Rauch-Tung-Striebel smoother over observations in columns. Throws std::invalid_argument on
/// an observation that the filter cannot use.
SmoothedSequence rts_smoother(StateSpaceModel model, const Eigen::MatrixXd& observations);

}  // namespace ovf
