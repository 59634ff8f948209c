#include "ovf/filter/lagged_excess.hpp"

#include <algorithm>
#include <utility>

#include "filter/archive_observation.hpp"

namespace ovf {

double ObservationSite::excess(const Gaussian& x, double expected_log_g) {
  const Eigen::MatrixXd& lower = x.factor.lower();
  offset_ = x.mean - centre;
  double expected = expansion.gradient.dot(offset_);
  if (expansion.diagonal) {
    const auto curvature = expansion.curvature.diagonal();
    expected -= 0.5 * curvature.dot(offset_.cwiseAbs2() + lower.rowwise().squaredNorm());
  } else {
    scratch_.noalias() = expansion.curvature * lower;
    expected -= 0.5 * (scratch_.cwiseProduct(lower).sum() +
                       offset_.dot(expansion.curvature * offset_));
  }
  return expected_log_g - expected;
}

LaggedExcess::LaggedExcess(int lag, int dim)
    : entries_(static_cast<std::size_t>(lag) + 1),
      marginal_(standard_gaussian(dim, CovarianceForm::kFull)) {}

bool LaggedExcess::go_back(const AffineGaussian& kernel) {
  mean_ = kernel.offset;
  mean_.noalias() += kernel.matrix * marginal_.mean;
  marginal_.mean.swap(mean_);
  scratch_.noalias() = kernel.matrix * marginal_.factor.lower();
  covariance_.noalias() = scratch_ * scratch_.transpose();
  kernel.noise.add_to(covariance_);
  return marginal_.factor.assign_covariance(covariance_, scratch_);
}

double LaggedExcess::update(const StateSpaceModel& model, const AffineGaussian& kernel,
                            bool observed, const Eigen::VectorXd& y, const StepInput& input,
                            const ObservationSite* site, double excess, const Gaussian& smoothed) {
  if (entries_.size() == 1) return 0.0;
  Entry& entry = entries_.front();
  entry.kernel = kernel;
  entry.pending = observed && site != nullptr;
  if (entry.pending) {
    entry.y = y;
    entry.input = input;
    entry.site.centre = site->centre;
    entry.site.expansion = site->expansion;
    entry.excess = excess;
  }
  const auto lag = entries_.size() - 1;
  if (count_ < static_cast<int>(lag) || !entries_[lag].pending) return 0.0;
  marginal_.mean = smoothed.mean;
  marginal_.factor.lower() = smoothed.factor.lower();
  for (std::size_t k = 1; k <= lag; ++k) {
    if (!go_back(entries_[k].kernel)) return 0.0;
  }
  Entry& due = entries_[lag];
  model.observation(due.input).expected_derivatives(due.y, marginal_, derivatives_);
  return due.site.excess(marginal_, derivatives_.value) - due.excess;
}

void LaggedExcess::commit() {
  if (entries_.size() == 1) return;
  std::rotate(entries_.begin(), entries_.end() - 1, entries_.end());
  count_ = std::min(count_ + 1, static_cast<int>(entries_.size()) - 1);
}

void LaggedExcess::Entry::archive(Archive& archive, const StateSpaceModel& model) {
  const int d = model.state_dim();
  kernel.archive(archive, d, d);
  archive_observation(archive, model, pending, input, y);
  if (!pending) return;
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
  archive.integer("steps of the lag", count_, 0, static_cast<int>(entries_.size()) - 1);
  for (int k = 1; k <= count_; ++k) entries_[static_cast<std::size_t>(k)].archive(archive, model);
}

}  // namespace ovf
