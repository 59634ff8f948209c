#include "ovf/model/sigma_point_mean.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "ovf/math/angle.hpp"

namespace ovf {

SigmaPointMean::SigmaPointMean(std::unique_ptr<MeanFunction> mean, std::vector<bool> angles)
    : mean_(std::move(mean)) {
  if (mean_ == nullptr) throw std::invalid_argument("sigma points: no mean function is given");
  if (!angles.empty() && angles.size() != static_cast<std::size_t>(mean_->output_dim())) {
    throw std::invalid_argument(fmt::format("sigma points: {} angle marks for {} outputs",
                                            angles.size(), mean_->output_dim()));
  }
  for (std::size_t i = 0; i < angles.size(); ++i) {
    if (angles[i]) angles_.push_back(static_cast<int>(i));
  }
}

void SigmaPointMean::moments(const StepInput& input, const Gaussian& x, Eigen::VectorXd& value,
                             Eigen::MatrixXd& slope, Eigen::MatrixXd& error) const {
  cubature_.assign(x);
  const Eigen::MatrixXd& points = cubature_.points();
  mean_->values(input, points, values_);
  // The last point is the centre.
  for (const int i : angles_) {
    const double centre = values_(i, values_.cols() - 1);
    for (double& angle : values_.row(i)) angle = centre + wrapped(angle - centre);
  }
  value = cubature_.mean(values_);
  transposed_ = cubature_.with_axes(values_);
  x.factor.unwhiten_transposed(transposed_);
  slope = transposed_.transpose();
  values_.colwise() -= value;
  values_.noalias() -= slope * (points.colwise() - x.mean);
  error.noalias() = values_ * cubature_.weights().asDiagonal() * values_.transpose();
}

}  // namespace ovf
