#include "ovf/filter/observation_summary.hpp"

namespace ovf {

void ObservationSummary::summarise(const StateSpaceModel& model, const Gaussian& prediction,
                                   const StepRecord& record, Eigen::VectorXd& out) {
  const Eigen::Index d = prediction.dim();
  out.setZero(size(prediction.dim()));
  if (!record.observed) return;
  if (record.input.start.size() == d) {
    out.head(d) = record.input.start - prediction.mean;
    prediction.factor.whiten(out.head(d));
    return;
  }
  model.observation(record.input).expected_derivatives(record.y, prediction, derivatives_);
  const Eigen::MatrixXd& lower = prediction.factor.lower();
  curved_.noalias() = derivatives_.curvature * lower;
  const Eigen::ArrayXd curvature = lower.cwiseProduct(curved_).colwise().sum().transpose();
  const Eigen::ArrayXd slope = (lower.transpose() * derivatives_.gradient).array();
  out.head(d) = slope / (1.0 + curvature.max(0.0));
  out.tail(d) = curvature / (1.0 + curvature.abs());
}

}  // namespace ovf
