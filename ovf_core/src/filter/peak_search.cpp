#include "ovf/filter/peak_search.hpp"

#include <cmath>
#include <limits>

#include "ovf/math/normal_points.hpp"

namespace ovf {
namespace {

constexpr int kGaussNewtonSteps = 8;
// Points are near a belief within so many of its standard deviations, besides those that its
// dimension makes usual.
constexpr double kNear = 4.0;
constexpr double kNone = -std::numeric_limits<double>::infinity();

}  // namespace

void PeakSearch::begin(const Observation& observation, const Eigen::VectorXd& y,
                       const Gaussian& prediction) {
  const NormalPoints& rule = normal_points(prediction.dim());
  points_.noalias() = prediction.factor.lower() * rule.points;
  points_.colwise() += prediction.mean;
  observation.log_density(y, points_, log_g_);
  heights_ = log_g_ - 0.5 * rule.points.colwise().squaredNorm().transpose();
}

void PeakSearch::measure_distances(const Gaussian& belief) {
  offsets_ = points_.colwise() - belief.mean;
  belief.factor.whiten(offsets_);
  squares_ = offsets_.colwise().squaredNorm();
  limit_ = std::pow(kNear + std::sqrt(static_cast<double>(belief.dim())), 2);
}

void PeakSearch::exclude(const Gaussian& belief) {
  measure_distances(belief);
  for (Eigen::Index i = 0; i < heights_.size(); ++i) {
    if (!(squares_[i] > limit_)) heights_[i] = kNone;
  }
}

double PeakSearch::far_evidence(const Gaussian& belief) {
  measure_distances(belief);
  const Eigen::VectorXd& weights = normal_points(belief.dim()).weights;
  double sum = 0.0;
  for (Eigen::Index i = 0; i < squares_.size(); ++i) {
    if (squares_[i] > limit_) sum += weights[i] * std::exp(log_g_[i]);
  }
  return sum;
}

bool PeakSearch::find(const Observation& observation, const Eigen::VectorXd& y,
                      const Gaussian& prediction, Gaussian& out) {
  Eigen::Index best = 0;
  if (!(heights_.maxCoeff(&best) > kNone)) return false;
  const int d = prediction.dim();
  scratch_.setIdentity(d, d);
  prediction.factor.whiten(scratch_);
  prior_precision_.noalias() = scratch_.transpose() * scratch_;
  out.mean = points_.col(best);
  out.factor = prediction.factor;
  for (int i = 0; i < kGaussNewtonSteps; ++i) {
    observation.linearise(out, Linearisation::kTangent, line_);
    residual_ = line_.offset;
    residual_.noalias() += line_.matrix * out.mean;
    values_ = y;
    observation.unwrap(residual_, values_);
    residual_ = values_ - residual_;
    line_.noise.whiten(residual_);
    line_.noise.whiten(line_.matrix);
    precision_ = prior_precision_;
    precision_.noalias() += line_.matrix.transpose() * line_.matrix;
    if (!out.factor.assign_inverse(precision_, scratch_)) return false;
    step_.noalias() = line_.matrix.transpose() * residual_;
    step_.noalias() -= prior_precision_ * (out.mean - prediction.mean);
    out.mean += out.factor.lower() * (out.factor.lower().transpose() * step_);
  }
  return out.mean.allFinite();
}

}  // namespace ovf
