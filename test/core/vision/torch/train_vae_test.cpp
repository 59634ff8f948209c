#include "ovf/vision/train_vae.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <stdexcept>

#include "ovf/vision/reconstruction.hpp"
#include "vision/torch/vae_cases.hpp"

namespace ovf {
namespace {

using test::model_error;
using test::square_pictures;
using test::tiny_config;
using testing::HasSubstr;

TEST(TrainVae, LowersTheLossAndExplainsVariance) {
  VaeConfig config = tiny_config();
  config.epochs = 30;
  config.variance = 0.1;
  config.rate = 3e-3;
  const auto images = square_pictures(100);
  const VaeTraining training = train_vae(images, config);
  ASSERT_EQ(training.epochs.size(), 30U);
  EXPECT_LT(training.epochs.back().train_loss, 0.6 * training.epochs.front().train_loss);
  EXPECT_LT(training.best.validation_loss, training.epochs.front().validation_loss);
  EXPECT_GT(training.best.explained_variance, 0.3);
  // The figure of the training is that of the model it leaves: of other pictures, not by far.
  EXPECT_GT(explained_variance(make_image_model(training.model), images), 0.3);
}

TEST(TrainVae, TheSameSeedGivesTheSameBytes) {
  VaeConfig config = tiny_config();
  config.epochs = 2;
  const auto images = square_pictures(20);
  const VaeTraining one = train_vae(images, config);
  const VaeTraining two = train_vae(images, config);
  EXPECT_EQ(one.model.decoder, two.model.decoder);
  EXPECT_EQ(one.model.encoder, two.model.encoder);
  EXPECT_EQ(one.best.validation_loss, two.best.validation_loss);
  config.seed = 2;
  EXPECT_NE(train_vae(images, config).model.decoder, one.model.decoder);
}

TEST(TrainVae, PaperArchitectureTakesTheAbsoluteLossByDefault) {
  VaeConfig config = tiny_config(VaeArchitecture::kPaper);
  EXPECT_EQ(config.used_loss(), VaeLoss::kAbsolute);
  const double given = train_vae(square_pictures(10), config).best.train_loss;
  config.loss = VaeLoss::kAbsolute;
  EXPECT_EQ(train_vae(square_pictures(10), config).best.train_loss, given);
  config.loss = VaeLoss::kSquared;
  EXPECT_NE(train_vae(square_pictures(10), config).best.train_loss, given);
}

TEST(TrainVae, StopsEarlyAndKeepsTheBestEpoch) {
  VaeConfig config = tiny_config();
  config.epochs = 40;
  config.patience = 2;
  config.rate = 0.5;  // so high that it soon gets worse
  config.validation_share = 0.5;
  const VaeTraining training = train_vae(square_pictures(12), config);
  ASSERT_LT(training.epochs.size(), 40U);
  EXPECT_EQ(static_cast<int>(training.epochs.size()) - training.best.number, 2);
  for (const VaeEpoch& epoch : training.epochs) {
    EXPECT_GE(epoch.validation_loss, training.best.validation_loss);
  }
}

TEST(TrainVae, ResumingEqualsNotBeingInterrupted) {
  const test::ScratchFolder scratch;
  VaeConfig config = tiny_config();
  config.epochs = 4;
  const auto images = square_pictures(20);
  const VaeTraining whole = train_vae(images, config);

  const VaeCallbacks interrupt = {.epoch = [](const VaeEpoch& epoch) {
    if (epoch.number == 2) throw std::runtime_error("interrupted");
  }};
  const std::filesystem::path file = scratch / "checkpoint";
  EXPECT_THROW(train_vae(images, config, interrupt, {.file = file}), std::runtime_error);
  std::vector<int> seen;
  const VaeTraining resumed = train_vae(
      images, config, {.epoch = [&](const VaeEpoch& epoch) { seen.push_back(epoch.number); }},
      {.file = file, .resume = true});
  EXPECT_EQ(seen, (std::vector<int>{3, 4}));
  EXPECT_EQ(resumed.model.decoder, whole.model.decoder);
  EXPECT_EQ(resumed.model.encoder, whole.model.encoder);
  ASSERT_EQ(resumed.epochs.size(), whole.epochs.size());
  for (std::size_t k = 0; k < whole.epochs.size(); ++k) {
    EXPECT_EQ(resumed.epochs[k].validation_loss, whole.epochs[k].validation_loss);
  }
}

TEST(TrainVae, RefusesTheCheckpointOfAnotherTrainingAndADamagedOne) {
  const test::ScratchFolder scratch;
  const std::filesystem::path file = scratch / "checkpoint";
  VaeConfig config = tiny_config();
  const auto images = square_pictures(10);
  train_vae(images, config, {}, {.file = file});
  const auto resume = [&](const VaeConfig& other) {
    return model_error([&] { train_vae(images, other, {}, {.file = file, .resume = true}); });
  };
  VaeConfig other = config;
  other.latent_dim = 5;
  EXPECT_THAT(resume(other), HasSubstr("a checkpoint of another training"));
  EXPECT_THAT(resume(other), HasSubstr("latent 5"));
  {
    std::fstream damage(file, std::ios::in | std::ios::out | std::ios::binary);
    damage.seekp(5000);
    damage.put('x');
  }
  EXPECT_THAT(resume(config), HasSubstr("damaged"));
  std::filesystem::resize_file(file, 100);
  EXPECT_THAT(resume(config), HasSubstr("not a checkpoint that can be used"));
  std::filesystem::resize_file(file, 0);
  EXPECT_THAT(resume(config), HasSubstr("not a checkpoint that can be used"));
}

TEST(TrainVae, RefusesBadSettingsByName) {
  const auto images = square_pictures(4);
  const auto complaint = [&](const VaeConfig& config) -> std::string {
    try {
      train_vae(images, config);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return {};
  };
  VaeConfig config = tiny_config();
  config.size = {10, 8};
  EXPECT_THAT(complaint(config), HasSubstr("width is 10; expected a multiple of 4"));
  config = tiny_config();
  config.latent_dim = 2000;
  EXPECT_THAT(complaint(config), HasSubstr("latent_dim is 2000"));
  config = tiny_config();
  config.rate = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(complaint(config), HasSubstr("rate is nan"));
  EXPECT_THROW(train_vae({images.front()}, tiny_config()), std::invalid_argument);
  EXPECT_THROW(train_vae(square_pictures(4, {8, 12}), tiny_config()), std::runtime_error);
}

}  // namespace
}  // namespace ovf
