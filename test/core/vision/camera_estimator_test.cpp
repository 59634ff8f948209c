#include "ovf/vision/camera_estimator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "evaluation/temporary_folder.hpp"
#include "vision/linear_pictures.hpp"

namespace ovf {
namespace {

CameraConfig small_config(bool controls = false) {
  CameraConfig config;
  config.model = "linear";
  config.control_topic = controls ? "control" : "";
  config.motion.hidden = 16;
  config.motion.blocks = 2;
  config.motion.noise_variance = 0.01;
  config.filter.learning.schedule.rate = 5e-3;
  return config;
}

void feed(CameraEstimator& estimator, const std::vector<CameraFrame>& frames) {
  for (const CameraFrame& frame : frames) {
    estimator.set_control(frame.control);
    EXPECT_TRUE(estimator.process(frame.stamp, frame.image).used());
  }
}

TEST(CameraEstimator, FindsTheLatentStateOfEachPicture) {
  const ImageModel model = test::linear_pictures();
  CameraEstimator estimator(small_config(), model);
  feed(estimator, test::turning_pictures(model, 20));
  const Eigen::Vector2d truth = Eigen::Rotation2Dd(20 * 0.4) * Eigen::Vector2d(1.0, 0.0);
  // Noise of deviation 0.3 on 48 pixels that are steep in the state: some hundredths.
  EXPECT_LT((estimator.belief().mean - truth).norm(), 0.1);
  EXPECT_EQ(estimator.counts()[static_cast<int>(FrameOutcome::kUsed)], 20);
}

TEST(CameraEstimator, LearnsToPredictPictures) {
  const ImageModel model = test::linear_pictures();
  CameraEstimator estimator(small_config(), model);
  const CameraEstimator untrained(small_config(), model);
  feed(estimator, test::turning_pictures(model, 1500));
  const Eigen::Vector2d now = estimator.belief().mean;
  const Eigen::Vector2d truth = Eigen::Rotation2Dd(3 * 0.4) * now;
  const double learned = (estimator.predict(3).back().mean - truth).norm();
  const double before =
      (untrained.predict_from(estimator.belief(), 3, {}).back().mean - truth).norm();
  EXPECT_LT(learned, 0.3 * before);
  EXPECT_LT(learned, 0.3 * (now - truth).norm());
}

TEST(CameraEstimator, LearnsWhatControlsDo) {
  const ImageModel model = test::linear_pictures();
  CameraEstimator estimator(small_config(true), model);
  feed(estimator, test::turning_pictures(model, 3000, 0.0, 0.5));
  const Eigen::Vector2d now = estimator.belief().mean;
  const auto turned = [&](double control) {
    return Eigen::Vector2d(estimator.predict(1, {{0.0, control}}).front().mean);
  };
  const Eigen::Vector2d left = Eigen::Rotation2Dd(0.5) * now;
  const Eigen::Vector2d right = Eigen::Rotation2Dd(-0.5) * now;
  EXPECT_LT((turned(1.0) - left).norm(), 0.5 * (turned(1.0) - right).norm());
  EXPECT_LT((turned(-1.0) - right).norm(), 0.5 * (turned(-1.0) - left).norm());
}

TEST(CameraEstimator, IsSurprisedByWhatItDidNotExpect) {
  const ImageModel model = test::linear_pictures();
  CameraEstimator estimator(small_config(), model);
  EXPECT_TRUE(
      std::isnan(estimator.process(0, test::picture_of(model, Eigen::Vector2d(1, 0))).novelty));
  const double usual =
      estimator.process(test::kPeriod, test::picture_of(model, Eigen::Vector2d(1, 0))).novelty;
  const double unusual =
      estimator.process(2 * test::kPeriod, test::picture_of(model, Eigen::Vector2d(-2, 2))).novelty;
  EXPECT_GT(unusual, usual + 0.5);
}

TEST(CameraEstimator, AveragesControlsBetweenPictures) {
  const ImageModel model = test::linear_pictures();
  CameraEstimator estimator(small_config(true), model);
  estimator.process(0, test::picture_of(model, Eigen::Vector2d(1, 0)));
  EXPECT_TRUE(estimator.set_control({1.0, 0.0}));
  EXPECT_TRUE(estimator.set_control({0.0, 1.0}));
  EXPECT_FALSE(estimator.set_control({std::numeric_limits<double>::quiet_NaN(), 0.0}));
  estimator.process(test::kPeriod, test::picture_of(model, Eigen::Vector2d(1, 0)));
  EXPECT_EQ(estimator.last_control(), Eigen::Vector2d(0.5, 0.5));
  // None came: the last one goes on.
  estimator.process(2 * test::kPeriod, test::picture_of(model, Eigen::Vector2d(1, 0)));
  EXPECT_EQ(estimator.last_control(), Eigen::Vector2d(0.0, 1.0));
}

TEST(CameraEstimator, SaysWhyAPictureIsNotUsed) {
  const ImageModel model = test::linear_pictures();
  CameraEstimator estimator(small_config(), model);
  const Image image = test::picture_of(model, Eigen::Vector2d(1, 0));
  EXPECT_EQ(estimator.process(INT64_MAX, image).outcome, FrameOutcome::kBadStamp);
  EXPECT_EQ(estimator.process(0, Image()).outcome, FrameOutcome::kBadImage);
  EXPECT_FALSE(estimator.initialised());
  EXPECT_TRUE(estimator.process(0, image).used());
  EXPECT_EQ(estimator.process(0, image).outcome, FrameOutcome::kDuplicate);
  EXPECT_EQ(estimator.process(-test::kPeriod, image).outcome, FrameOutcome::kOutOfOrder);
  EXPECT_EQ(estimator.process(test::kPeriod / 3, image).outcome, FrameOutcome::kTooSoon);
  const Eigen::VectorXd before = estimator.belief().mean;
  EXPECT_EQ(estimator.process(test::kPeriod, Image()).outcome, FrameOutcome::kBadImage);
  EXPECT_EQ(estimator.belief().mean, before);
  EXPECT_TRUE(estimator.process(test::kPeriod, image).used());
  long all = 0;
  for (const long count : estimator.counts()) all += count;
  EXPECT_EQ(all, 8);
}

TEST(CameraEstimator, TakesPicturesOfAnySize) {
  const ImageModel model = test::linear_pictures();
  CameraEstimator estimator(small_config(), model);
  EXPECT_TRUE(estimator.process(0, Image(640, 480)).used());
  EXPECT_TRUE(estimator.process(test::kPeriod, Image(1, 1)).used());
}

TEST(CameraEstimator, StartsAnewAfterALongSilenceAndWhenTheClockIsSetBack) {
  const ImageModel model = test::linear_pictures();
  CameraEstimator estimator(small_config(), model);
  const Eigen::VectorXd first = estimator.filter().parameters();
  const auto frames = test::turning_pictures(model, 300);
  feed(estimator, frames);
  const Eigen::VectorXd learned = estimator.filter().parameters();
  const Stamp later = frames.back().stamp + 10'000'000'000;
  EXPECT_TRUE(estimator.process(later, frames[0].image).restarted);
  EXPECT_TRUE(estimator.process(0, frames[0].image).restarted);
  EXPECT_EQ(estimator.process(0, frames[0].image).outcome, FrameOutcome::kDuplicate);
  // What was learned stays, but for what Adam's momentum adds.
  EXPECT_LT((estimator.filter().parameters() - learned).norm(), 0.05 * (learned - first).norm());
}

TEST(CameraEstimator, CrossesMissingPicturesStepByStep) {
  const ImageModel model = test::linear_pictures();
  CameraEstimator estimator(small_config(), model);
  const auto frames = test::turning_pictures(model, 4);
  estimator.process(frames[0].stamp, frames[0].image);
  EXPECT_FALSE(estimator.process(frames[3].stamp, frames[3].image).restarted);
  EXPECT_EQ(estimator.filter().last_result().step, 4);
}

TEST(CameraEstimator, DoesTheSameTwice) {
  const ImageModel model = test::linear_pictures();
  const auto frames = test::turning_pictures(model, 50);
  CameraEstimator one(small_config(), model), other(small_config(), model);
  feed(one, frames);
  feed(other, frames);
  EXPECT_EQ(one.belief().mean, other.belief().mean);
  EXPECT_EQ(one.filter().parameters(), other.filter().parameters());
}

TEST(CameraEstimator, GoesOnFromACheckpointBitForBit) {
  const ImageModel model = test::linear_pictures();
  auto frames = test::turning_pictures(model, 60);
  const std::vector<CameraFrame> rest(frames.begin() + 30, frames.end());
  frames.resize(30);
  const test::TemporaryFolder folder;
  CameraEstimator estimator(small_config(true), model);
  feed(estimator, frames);
  estimator.save(folder.path() / "camera.ovf");
  feed(estimator, rest);
  CameraEstimator restored(small_config(true), model);
  restored.load(folder.path() / "camera.ovf");
  feed(restored, rest);
  EXPECT_EQ(estimator.belief().mean, restored.belief().mean);
  EXPECT_EQ(estimator.filter().parameters(), restored.filter().parameters());
  CameraEstimator without_controls(small_config(), model);
  EXPECT_THROW(without_controls.load(folder.path() / "camera.ovf"), std::runtime_error);
}

CameraConfig amortised_config(int iterations) {
  CameraConfig config = small_config();
  config.filter.inference = InferenceMethod::kAmortised;
  config.filter.amortised.memory = AmortisedMemory::kRecurrent;
  config.filter.amortised.hidden_layers = {32};
  config.filter.amortised.iterations = iterations;
  return config;
}

TEST(CameraEstimator, FindsTheLatentStateByWhatANetworkMakesOfTheEncoder) {
  const ImageModel model = test::linear_pictures();
  CameraEstimator estimator(amortised_config(4), model);
  feed(estimator, test::turning_pictures(model, 300));
  const Eigen::Vector2d truth = Eigen::Rotation2Dd(300 * 0.4) * Eigen::Vector2d(1.0, 0.0);
  EXPECT_LT((estimator.belief().mean - truth).norm(), 0.1);

  // Without any optimisation.
  const test::TemporaryFolder folder;
  estimator.save(folder.path() / "camera.ovf");
  CameraEstimator tested(amortised_config(0), model);
  tested.load(folder.path() / "camera.ovf");
  tested.reset(true);
  feed(tested, test::turning_pictures(model, 20));
  const Eigen::Vector2d then = Eigen::Rotation2Dd(20 * 0.4) * Eigen::Vector2d(1.0, 0.0);
  EXPECT_LT((tested.belief().mean - then).norm(), 0.15);
  const double deviation = tested.belief().factor.standard_deviations().mean();
  EXPECT_NEAR(deviation, estimator.belief().factor.standard_deviations().mean(), 0.3 * deviation);
}

TEST(CameraEstimator, ForgetsOnlyWhatItIsAskedTo) {
  const ImageModel model = test::linear_pictures();
  CameraEstimator estimator(small_config(), model);
  const Eigen::VectorXd first = estimator.filter().parameters();
  feed(estimator, test::turning_pictures(model, 50));
  const Eigen::VectorXd learned = estimator.filter().parameters();
  ASSERT_NE(learned, first);
  estimator.reset(true);
  EXPECT_FALSE(estimator.initialised());
  EXPECT_EQ(estimator.filter().parameters(), learned);
  estimator.reset(false);
  EXPECT_EQ(estimator.filter().parameters(), first);
}

TEST(CameraEstimator, LearnsNothingWhileLearningIsOff) {
  const ImageModel model = test::linear_pictures();
  CameraEstimator estimator(small_config(), model);
  estimator.set_learning(false);
  const Eigen::VectorXd first = estimator.filter().parameters();
  feed(estimator, test::turning_pictures(model, 30));
  EXPECT_EQ(estimator.filter().parameters(), first);
}

TEST(CameraEstimator, NeedsAModelThatFitsItself) {
  ImageModel model = test::linear_pictures();
  model.encoder = nullptr;
  EXPECT_THROW(CameraEstimator(small_config(), model), std::invalid_argument);
}

TEST(CameraConfig, IsReadAsItIsWritten) {
  CameraConfig config = small_config(true);
  config.rate = 12.5;
  config.output.predicted_frames = 3;
  const CameraConfig read = read_camera_config(write_camera_config(config), "test");
  EXPECT_EQ(write_camera_config(read), write_camera_config(config));
  EXPECT_EQ(read.rate, 12.5);
}

TEST(CameraConfig, StartsFromItsSetting) {
  const CameraConfig paper = read_camera_config("setting: paper\nmodel: m\n", "test");
  EXPECT_EQ(paper.filter.reparameterised.iterations, 200);
  EXPECT_EQ(paper.filter.reparameterised.kernel_learning_rate, 0.003);
  EXPECT_EQ(paper.filter.score_regression.regressor.kind, RegressorKind::kDirectionMlp);
  const CameraConfig fast = read_camera_config("model: m\n", "test");
  EXPECT_EQ(fast.filter.score, RecursionMethod::kProjection);
}

TEST(CameraConfig, NamesWhatIsWrong) {
  const auto message = [](const char* text) -> std::string {
    try {
      read_camera_config(text, "robot.yaml");
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("rate: 10.0\n").find("model is empty"), std::string::npos);
  EXPECT_NE(message("model: m\nrate: 0.0\n").find("rate"), std::string::npos);
  EXPECT_NE(message("model: m\nframe_rate: 1.0\n").find("frame_rate"), std::string::npos);
}

}  // namespace
}  // namespace ovf
