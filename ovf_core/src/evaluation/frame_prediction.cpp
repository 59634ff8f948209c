#include "ovf/evaluation/frame_prediction.hpp"

#include <algorithm>

#include "ovf/vision/contact_sheet.hpp"
#include "ovf/vision/raw_image.hpp"

namespace ovf {
namespace {

/// What is known after all frames were seen.
struct Seen {
  Eigen::VectorXd pixels;
  Gaussian belief;
};

class Errors {
 public:
  Errors(FramePredictionErrors& errors, int horizon) : errors_(errors) {
    errors_.pixels.setZero(horizon);
    errors_.latent.setZero(horizon);
  }
  void add(int ahead, const Eigen::VectorXd& pixels, const Eigen::VectorXd& latent,
           const Seen& truth) {
    errors_.pixels[ahead] += (pixels - truth.pixels).array().square().mean();
    errors_.latent[ahead] += (latent - truth.belief.mean).array().square().mean();
  }
  void finish(int starts) {
    errors_.pixels /= starts;
    errors_.latent /= starts;
  }

 private:
  FramePredictionErrors& errors_;
};

std::vector<Seen> look(const std::vector<CameraFrame>& frames, CameraEstimator& estimator) {
  const PixelScale& scale = estimator.model().scale;
  std::vector<Seen> seen;
  seen.reserve(frames.size());
  for (const CameraFrame& frame : frames) {
    estimator.set_control(frame.control);
    estimator.process(frame.stamp, frame.image);
    Seen& now = seen.emplace_back(Seen{Eigen::VectorXd(scale.dim()), estimator.belief()});
    scale.standardise(resized(frame.image, scale.size()), now.pixels);
  }
  return seen;
}

/// Means of the latent states to come, and their pixels.
struct Predicted {
  std::vector<Gaussian> path;
  Eigen::MatrixXd pixels;

  Predicted(const CameraEstimator& estimator, const Gaussian& from, int horizon,
            const std::vector<Eigen::Vector2d>& controls)
      : path(estimator.predict_from(from, horizon, controls)) {
    Eigen::MatrixXd means(from.dim(), horizon);
    // Where a prediction broke off, its last state stays.
    for (int k = 0; k < horizon; ++k) {
      const auto at = std::min(static_cast<std::size_t>(k) + 1, path.size());
      means.col(k) = at > 0 ? path[at - 1].mean : from.mean;
    }
    latent = means;
    estimator.model().decoder->decode(means, pixels);
  }
  Eigen::MatrixXd latent;
};

}  // namespace

FramePrediction predict_frames(const std::vector<CameraFrame>& frames, CameraEstimator& estimator,
                               const CameraEstimator& untrained,
                               const FramePredictionOptions& options,
                               std::vector<PredictedStrip>& strips) {
  const bool was_learning = estimator.learning();
  estimator.set_learning(false);
  const std::vector<Seen> seen = look(frames, estimator);
  estimator.set_learning(was_learning);

  FramePrediction result;
  const int horizon = options.horizon;
  Errors learned(result.learned, horizon), before(result.untrained, horizon),
      persistence(result.persistence, horizon);
  const PixelScale& scale = estimator.model().scale;
  const int starts = (static_cast<int>(frames.size()) - horizon - 1) / options.every + 1;
  const int between_strips = std::max(1, starts / std::max(1, options.strips));
  Eigen::MatrixXd own;
  for (int s = 0; s < starts; ++s) {
    const auto t = static_cast<std::size_t>(s) * static_cast<std::size_t>(options.every);
    std::vector<Eigen::Vector2d> controls;
    for (int k = 1; k <= horizon; ++k) {
      controls.emplace_back(frames[t + static_cast<std::size_t>(k)].control);
    }
    const Predicted after(estimator, seen[t].belief, horizon, controls);
    const Predicted first(untrained, seen[t].belief, horizon, controls);
    for (int k = 0; k < horizon; ++k) {
      const Seen& truth = seen[t + static_cast<std::size_t>(k) + 1];
      learned.add(k, after.pixels.col(k), after.latent.col(k), truth);
      before.add(k, first.pixels.col(k), first.latent.col(k), truth);
      persistence.add(k, seen[t].pixels, seen[t].belief.mean, truth);
    }
    estimator.model().decoder->decode(seen[t].belief.mean, own);
    result.reconstruction += (own.col(0) - seen[t].pixels).array().square().mean();
    if (s % between_strips == between_strips / 2 &&
        static_cast<int>(strips.size()) < options.strips) {
      PredictedStrip& strip = strips.emplace_back();
      const Image present = estimator.decoded(seen[t].belief.mean);
      strip.truth.push_back(scale.to_image(seen[t].pixels));
      strip.learned.push_back(present);
      strip.untrained.push_back(present);
      for (int k = 0; k < horizon; ++k) {
        strip.truth.push_back(scale.to_image(seen[t + static_cast<std::size_t>(k) + 1].pixels));
        strip.learned.push_back(scale.to_image(after.pixels.col(k)));
        strip.untrained.push_back(scale.to_image(first.pixels.col(k)));
      }
    }
  }
  learned.finish(starts);
  before.finish(starts);
  persistence.finish(starts);
  result.reconstruction /= starts;
  result.starts = starts;
  return result;
}

Image strip_image(const PredictedStrip& strip, int scale) {
  std::vector<Image> rows = strip.truth;
  rows.insert(rows.end(), strip.learned.begin(), strip.learned.end());
  rows.insert(rows.end(), strip.untrained.begin(), strip.untrained.end());
  return contact_sheet(rows, static_cast<int>(strip.truth.size()), scale);
}

}  // namespace ovf
