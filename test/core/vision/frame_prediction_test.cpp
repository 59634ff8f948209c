#include "ovf/evaluation/frame_prediction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "ovf/evaluation/frame_forecasts.hpp"
#include "ovf/evaluation/sequential_vae.hpp"
#include "vision/linear_pictures.hpp"

namespace ovf {
namespace {

CameraConfig small_config() {
  CameraConfig config;
  config.model = "linear";
  config.motion.hidden = 16;
  config.motion.blocks = 2;
  config.motion.noise_variance = 0.01;
  config.filter.learning.schedule.rate = 5e-3;
  return config;
}

struct Split {
  std::vector<CameraFrame> frames, later;
};

Split split(std::vector<CameraFrame> all, std::size_t first) {
  Split out;
  out.later.assign(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
  all.resize(first);
  out.frames = std::move(all);
  return out;
}

TEST(FramePrediction, MeasuresPersistenceAsItIs) {
  const ImageModel model = test::linear_pictures();
  CameraEstimator estimator(small_config(), model);
  const CameraEstimator untrained(small_config(), model);
  const auto frames = test::turning_pictures(model, 40);
  std::vector<PredictedStrip> strips;
  const FramePrediction result =
      predict_frames(frames, estimator, untrained, {.horizon = 4, .every = 3, .strips = 2}, strips);
  EXPECT_EQ(result.starts, 12);
  ASSERT_EQ(strips.size(), 2U);
  EXPECT_EQ(strips[0].truth.size(), 5U);
  EXPECT_GT(strip_image(strips[0], 2).width, 5 * 4 * 2);
  // After k steps of 0.4 rad the state of length 1 is 2 sin(0.2 k) away; pixels are W of that.
  double expected = 0.0;
  Eigen::VectorXd one(model.scale.dim()), other(model.scale.dim());
  for (int s = 0; s < 12; ++s) {
    model.scale.standardise(frames[static_cast<std::size_t>(3 * s)].image, one);
    model.scale.standardise(frames[static_cast<std::size_t>(3 * s + 4)].image, other);
    expected += (one - other).array().square().mean() / 12.0;
  }
  EXPECT_NEAR(result.persistence.pixels[3], expected, 1e-12);
  EXPECT_NEAR(result.persistence.latent[3], 2.0 * std::pow(std::sin(0.8), 2), 0.1);
}

TEST(FramePrediction, OfANetworkThatLearnedIsBetter) {
  const ImageModel model = test::linear_pictures();
  const Split data = split(test::turning_pictures(model, 1600), 1500);
  std::ostringstream progress;
  SequentialVaeOptions options{.camera = small_config(), .seeds = 2, .snapshots = 4, .horizon = 3};
  options.with_controls = false;
  const Report report = sequential_vae(model, data.frames, data.later, options, progress);
  check_report(report);
  const auto value = [&](const char* key) { return report.values.at(key); };
  EXPECT_LT(value("alone 3 learned"), 0.5 * value("alone 3 persistence"));
  EXPECT_LT(value("alone 3 learned"), 0.5 * value("alone 3 untrained"));
  EXPECT_GT(value("alone least likelihood gain"), 0.0);
  EXPECT_FALSE(report.pictures.empty());
  EXPECT_EQ(report.charts.front().series.front().x.size(), 5U);
}

TEST(FramePrediction, NeedsPictures) {
  const ImageModel model = test::linear_pictures();
  std::ostringstream progress;
  EXPECT_THROW(sequential_vae(model, {}, {}, {.camera = small_config()}, progress),
               std::invalid_argument);
}

TEST(FrameForecasts, CompareWhatCameWithWhatWasExpected) {
  const ImageModel model = test::linear_pictures();
  CameraEstimator estimator(small_config(), model);
  FrameForecasts forecasts(3, 0.1, 2);
  const auto frames = test::turning_pictures(model, 200);
  for (const CameraFrame& frame : frames) {
    ASSERT_TRUE(estimator.process(frame.stamp, frame.image).used());
    forecasts.add(estimator, frame.image, true);
  }
  // From every picture one, but for those whose time has not come.
  EXPECT_EQ(forecasts.forecasts(1), 199);
  EXPECT_EQ(forecasts.forecasts(3), 197);
  EXPECT_GT(forecasts.persistence(3), forecasts.persistence(1));
  EXPECT_GT(forecasts.error(1), 0.0);
  EXPECT_LE(forecasts.strips().size(), 2U);
  EXPECT_EQ(forecasts.strips().front().seen.size(), 4U);
}

TEST(FrameForecasts, AreDroppedWherePicturesAreMissing) {
  const ImageModel model = test::linear_pictures();
  CameraEstimator estimator(small_config(), model);
  FrameForecasts forecasts(3, 0.1);
  const auto frames = test::turning_pictures(model, 10);
  for (const std::size_t k : {0, 1, 4, 5}) {
    ASSERT_TRUE(estimator.process(frames[k].stamp, frames[k].image).used());
    forecasts.add(estimator, frames[k].image, k == 0);
  }
  EXPECT_EQ(forecasts.forecasts(1), 1);
  EXPECT_EQ(forecasts.forecasts(2), 0);
  EXPECT_TRUE(std::isnan(forecasts.error(2)));
}

}  // namespace
}  // namespace ovf
