#include "ovf/evaluation/frame_forecasts.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "ovf/vision/raw_image.hpp"

namespace ovf {

FrameForecasts::FrameForecasts(int horizon, double step, int strips)
    : horizon_(horizon),
      step_(step),
      most_strips_(static_cast<std::size_t>(strips)),
      errors_(Eigen::VectorXd::Zero(horizon)),
      persistence_(Eigen::VectorXd::Zero(horizon)),
      counts_(Eigen::VectorXi::Zero(horizon)) {}

double FrameForecasts::mean_of(const Eigen::VectorXd& sums, int ahead) const {
  const int count = counts_[ahead - 1];
  return count > 0 ? sums[ahead - 1] / count : std::numeric_limits<double>::quiet_NaN();
}

void FrameForecasts::add(const CameraEstimator& estimator, const Image& image, bool forecast) {
  const PixelScale& scale = estimator.model().scale;
  pixels_.resize(scale.dim());
  scale.standardise(resized(image, scale.size()), pixels_);
  for (Pending& pending : pending_) compare(estimator, pending);
  while (!pending_.empty() && pending_.front().next > horizon_) {
    finish(pending_.front());
    pending_.pop_front();
  }
  if (!forecast) return;

  const std::vector<Gaussian> path = estimator.predict(horizon_);
  if (static_cast<int>(path.size()) < horizon_) return;
  Pending& pending = pending_.emplace_back();
  pending.stamp = estimator.stamp();
  pending.present = pixels_;
  Eigen::MatrixXd means(path.front().dim(), horizon_);
  for (int k = 0; k < horizon_; ++k) means.col(k) = path[static_cast<std::size_t>(k)].mean;
  estimator.model().decoder->decode(means, pending.expected);
  pending.keep = made_++ % stride_ == 0;
  if (!pending.keep) return;
  pending.strip.stamp = pending.stamp;
  pending.strip.seen.push_back(scale.to_image(pixels_));
  pending.strip.expected.push_back(estimator.reconstruction());
}

void FrameForecasts::compare(const CameraEstimator& estimator, Pending& pending) {
  const double steps = seconds_between(pending.stamp, estimator.stamp()) / step_;
  const auto ahead = static_cast<int>(std::lround(steps));
  // Set back, or a gap: what lies between was not seen.
  if (steps < 0.0 || ahead != pending.next) {
    pending.next = horizon_ + 1;
    pending.keep = false;
    return;
  }
  const int k = ahead - 1;
  errors_[k] += (pending.expected.col(k) - pixels_).array().square().mean();
  persistence_[k] += (pending.present - pixels_).array().square().mean();
  ++counts_[k];
  ++pending.next;
  if (!pending.keep) return;
  const PixelScale& scale = estimator.model().scale;
  pending.strip.seen.push_back(scale.to_image(pixels_));
  pending.strip.expected.push_back(scale.to_image(pending.expected.col(k)));
}

void FrameForecasts::finish(Pending& pending) {
  if (!pending.keep) return;
  strips_.push_back(std::move(pending.strip));
  if (strips_.size() <= most_strips_) return;
  // Every second one goes, and from now on only half as many are kept.
  std::vector<Strip> fewer;
  for (std::size_t k = 0; k < strips_.size(); k += 2) fewer.push_back(std::move(strips_[k]));
  strips_ = std::move(fewer);
  stride_ *= 2;
}

}  // namespace ovf
