#include "ovf/model/observation_quadrature.hpp"

#include "ovf/math/normal_points.hpp"

namespace ovf {
namespace {

// Of the largest eigenvalue of the gradients' second moment: less is rounding.
constexpr double kLeastShare = 1e-9;

}  // namespace

void ObservationQuadrature::find_directions(const Observation& observation,
                                            const Eigen::VectorXd& y, const Gaussian& q) {
  const Eigen::Index d = q.dim();
  if (d == 1) {
    directions_.setOnes(1, 1);
    return;
  }
  cubature_.assign(q);
  observation.gradient(y, cubature_.points(), gradients_);
  along_.noalias() = q.factor.lower().transpose() * gradients_;
  products_.noalias() = along_ * along_.transpose();
  axes_.compute(products_);
  const auto& sizes = axes_.eigenvalues();  // ascending
  Eigen::Index count = 1;
  while (count < d && sizes[d - 1 - count] > kLeastShare * sizes[d - 1]) ++count;
  directions_ = axes_.eigenvectors().rightCols(count);
}

void ObservationQuadrature::derivatives(const Observation& observation, const Eigen::VectorXd& y,
                                        const Gaussian& q, ExpectedDerivatives& out) {
  find_directions(observation, y, q);
  const NormalPoints& rule = normal_points(static_cast<int>(directions_.cols()));
  scratch_.noalias() = q.factor.lower() * directions_;
  points_.noalias() = scratch_ * rule.points;
  points_.colwise() += q.mean;
  observation.log_density(y, points_, values_);
  observation.gradient(y, points_, gradients_);
  out.value = rule.weights.dot(values_);
  out.gradient.noalias() = gradients_ * rule.weights;
  // Stein: E[hess] = E[grad z'], both along the directions.
  along_.noalias() = scratch_.transpose() * gradients_;
  products_.noalias() = along_ * rule.weights.asDiagonal() * rule.points.transpose();
  products_ = (-0.5 * (products_ + products_.transpose())).eval();
  scratch_ = directions_;
  q.factor.unwhiten_transposed(scratch_);
  gradients_.noalias() = scratch_ * products_;
  out.curvature.noalias() = gradients_ * scratch_.transpose();
  out.curvature.triangularView<Eigen::StrictlyUpper>() = out.curvature.transpose();
  out.diagonal = false;
}

}  // namespace ovf
