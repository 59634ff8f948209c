#include "ovf/filter/lagged_excess.hpp"

#include <algorithm>
#include <utility>

#include "filter/archive_observation.hpp"
#include "ovf/math/normal_points.hpp"

namespace ovf {
namespace {

// Where f is curved, later observations matter for longer.
constexpr int kCurvedLags = 3;
constexpr int kMaxExactDim = 6;
constexpr int kDraws = 64;

}  // namespace

double ObservationSite::excess(const Gaussian& x, double expected_log_g) {
  const Eigen::MatrixXd& lower = x.factor.lower();
  offset_ = x.mean - centre;
  double expected = expansion.gradient.dot(offset_);
  if (expansion.diagonal) {
    const auto curvature = expansion.curvature.diagonal();
    expected -= 0.5 * curvature.dot(offset_.cwiseAbs2() + lower.rowwise().squaredNorm());
  } else {
    scratch_.noalias() = expansion.curvature * lower;
    expected -= 0.5 * scratch_.cwiseProduct(lower).sum();
    shift_.noalias() = expansion.curvature * offset_;
    expected -= 0.5 * offset_.dot(shift_);
  }
  return expected_log_g - expected;
}

void transition_excess(const StateSpaceModel& model, const StepInput& input,
                       const AffineGaussian& line, const Eigen::MatrixXd& from,
                       const Eigen::MatrixXd& to, Eigen::MatrixXd& scratch, Eigen::VectorXd& out) {
  model.transition().log_density(input, from, to, out);
  scratch = to.colwise() - line.offset;
  scratch.noalias() -= line.matrix * from;
  line.noise.whiten(scratch);
  out += 0.5 * scratch.colwise().squaredNorm().transpose();
  out.array() += line.noise.log_determinant() + 0.5 * line.noise.dim() * kLogTwoPi;
}

double antithetic_variance(const Eigen::VectorXd& values) {
  const Eigen::Index n = values.size() / 2;
  const Eigen::ArrayXd means = 0.5 * (values.head(n) + values.tail(n));
  return (means - means.mean()).square().sum() / static_cast<double>(n * (n - 1));
}

LaggedExcess::LaggedExcess(int lag, int dim)
    : lag_(lag), marginal_(standard_gaussian(dim, CovarianceForm::kFull)) {
  for (int k = 0; k <= kCurvedLags * lag; ++k) steps_.push_back(std::make_unique<LaggedStep>());
}

// Through the steps before the one in work, as far as a correction is due.
double LaggedExcess::update(const StateSpaceModel& model, const Gaussian& smoothed,
                            RandomStream& random) {
  variance_ = 0.0;
  filled_ = true;
  const bool curved = count_ == kCurvedLags * lag_ && steps_.back()->curvature != 0.0;
  const auto lag = static_cast<std::size_t>(lag_);
  const bool observed = count_ >= lag_ && steps_[lag]->observed;
  if (lag_ == 0 || !(curved || observed)) return 0.0;
  double sum = 0.0;
  mean_ = smoothed.mean;
  covariance_.setZero(smoothed.dim(), smoothed.dim());
  smoothed.factor.add_to(covariance_);
  const std::size_t last = curved ? steps_.size() - 1 : lag;
  for (std::size_t k = 1; k <= last; ++k) {
    if (k == steps_.size() - 1) {
      sum += transition_excess(model, random);
      if (k != lag) break;
    }
    go_back(steps_[k]->kernel);
    if (k == lag && observed) sum += observation_excess(model);
  }
  return sum;
}

void LaggedExcess::go_back(const AffineGaussian& kernel) {
  next_mean_ = kernel.offset;
  next_mean_.noalias() += kernel.matrix * mean_;
  mean_.swap(next_mean_);
  scratch_.noalias() = kernel.matrix * covariance_;
  covariance_.noalias() = scratch_ * kernel.matrix.transpose();
  kernel.noise.add_to(covariance_);
}

double LaggedExcess::observation_excess(const StateSpaceModel& model) {
  LaggedStep& due = *steps_[static_cast<std::size_t>(lag_)];
  marginal_.mean = mean_;
  if (!marginal_.factor.assign_covariance(covariance_, scratch_)) return 0.0;
  model.observation(due.last_input).expected_derivatives(due.y, marginal_, derivatives_);
  return due.site.excess(marginal_, derivatives_.value) - due.excess;
}

// At x_k: log f - log of its line is linear in it, so that its mean given x_{k-1} stands for it.
double LaggedExcess::transition_excess(const StateSpaceModel& model, RandomStream& random) {
  const LaggedStep& due = *steps_.back();
  const Eigen::Index d = mean_.size();
  // covariance_ of x_k becomes that with x_{k-1}, then the slope of x_k given x_{k-1}.
  slope_.noalias() = due.kernel.matrix * covariance_;
  next_mean_ = mean_;
  go_back(due.kernel);
  next_mean_.swap(mean_);  // mean_: of x_k, next_mean_: of x_{k-1}
  if (!marginal_.factor.assign_covariance(covariance_, scratch_)) return 0.0;
  marginal_.factor.whiten(slope_);
  const bool exact = d <= kMaxExactDim;
  if (exact) {
    points_ = fifth_degree_points(static_cast<int>(d)).points;
  } else {
    points_.resize(d, kDraws);
    random.fill_normal_antithetic(points_);
  }
  from_.noalias() = marginal_.factor.lower() * points_;
  from_.colwise() += next_mean_;
  to_.noalias() = slope_.transpose() * points_;
  to_.colwise() += mean_;
  ovf::transition_excess(model, due.input, due.line, from_, to_, scratch_, values_);
  if (exact) {
    return fifth_degree_points(static_cast<int>(d)).weights.dot(values_) - due.curvature;
  }
  variance_ = antithetic_variance(values_);
  return values_.mean() - due.curvature;
}

void LaggedExcess::commit() {
  if (lag_ == 0 || !std::exchange(filled_, false)) return;
  // The longer lag only where f is curved.
  const int most = steps_.front()->curvature != 0.0 || count_ > lag_ ? kCurvedLags * lag_ : lag_;
  const auto end = steps_.begin() + most + 1;
  std::rotate(steps_.begin(), end - 1, end);
  count_ = std::min(count_ + 1, most);
}

void LaggedStep::archive(Archive& archive, const StateSpaceModel& model) {
  const int d = model.state_dim();
  kernel.archive(archive, d, d);
  archive.number("curvature of f", curvature);
  archive.require_finite("curvature of f", curvature);
  if (curvature != 0.0) {
    line.archive(archive, d, d);
    input.archive(archive);
  }
  archive_observation(archive, model, observed, last_input, y);
  if (!observed) return;
  archive.vector("centre", site.centre, d);
  archive.require_finite("centre", site.centre);
  archive.vector("gradient", site.expansion.gradient, d);
  archive.require_finite("gradient", site.expansion.gradient);
  archive.matrix("curvature", site.expansion.curvature, d, d);
  archive.require_finite("curvature", site.expansion.curvature);
  archive.flag("diagonal curvature", site.expansion.diagonal);
  archive.number("excess", excess);
  archive.require_finite("excess", excess);
}

void LaggedExcess::archive(Archive& archive, const StateSpaceModel& model) {
  archive.integer("steps of the lag", count_, 0, static_cast<int>(steps_.size()) - 1);
  for (int k = 1; k <= count_; ++k) steps_[static_cast<std::size_t>(k)]->archive(archive, model);
}

}  // namespace ovf
