#include <gtest/gtest.h>

#include "ovf/math/random.hpp"
#include "ovf/vision/load_image_model.hpp"
#include "vision/torch/vae_cases.hpp"

namespace ovf {
namespace {

using test::tiny_model;

Eigen::MatrixXd some_latents(int count) {
  Eigen::MatrixXd latents(4, count);
  RandomStream random(3);
  random.fill_normal(latents);
  return latents;
}

struct Case {
  VaeArchitecture architecture;
  ImageSize size;
};

class ImageModelOfEach : public testing::TestWithParam<Case> {
 protected:
  StoredImageModel stored_ = tiny_model(GetParam().architecture, GetParam().size);
  ImageModel model_ = make_image_model(stored_);
  int pixels_ = 3 * GetParam().size.width * GetParam().size.height;
};

INSTANTIATE_TEST_SUITE_P(All, ImageModelOfEach,
                         testing::Values(Case{VaeArchitecture::kSmall, {8, 8}},
                                         Case{VaeArchitecture::kSmall, {12, 8}},
                                         Case{VaeArchitecture::kPaper, {8, 8}},
                                         Case{VaeArchitecture::kPaper, {8, 16}}));

TEST_P(ImageModelOfEach, HasTheRightSizes) {
  EXPECT_EQ(model_.decoder->latent_dim(), 4);
  EXPECT_EQ(model_.decoder->pixel_dim(), pixels_);
  Eigen::MatrixXd pixels;
  model_.decoder->decode(some_latents(3), pixels);
  EXPECT_EQ(pixels.rows(), pixels_);
  EXPECT_EQ(pixels.cols(), 3);
  Eigen::VectorXd mean;
  Eigen::VectorXd deviation;
  model_.encoder->encode(pixels.col(0), mean, deviation);
  EXPECT_EQ(mean.size(), 4);
  EXPECT_EQ(deviation.size(), 4);
  EXPECT_GT(deviation.minCoeff(), 0.0);
}

TEST_P(ImageModelOfEach, BatchesAgreeWithSingleStates) {
  const Eigen::MatrixXd latents = some_latents(3);
  Eigen::MatrixXd all;
  Eigen::MatrixXd one;
  model_.decoder->decode(latents, all);
  for (int k = 0; k < 3; ++k) {
    model_.decoder->decode(latents.col(k), one);
    // Floats, summed in another order.
    EXPECT_LT((one - all.col(k)).cwiseAbs().maxCoeff(), 1e-5);
  }
}

// By LibTorch's own derivatives, backward: a row for each pixel.
TEST_P(ImageModelOfEach, JacobianAgreesWithReverseMode) {
  const Eigen::VectorXd latent = some_latents(1);
  Eigen::VectorXd pixels;
  Eigen::MatrixXd J;
  model_.decoder->jacobian(latent, pixels, J);
  ASSERT_EQ(J.rows(), pixels_);
  ASSERT_EQ(J.cols(), 4);
  Eigen::MatrixXd decoded;
  Eigen::MatrixXd rows;
  model_.decoder->vector_jacobian(latent.replicate(1, pixels_),
                                  Eigen::MatrixXd::Identity(pixels_, pixels_), decoded, rows);
  EXPECT_LT((pixels - decoded.col(0)).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_LT((J - rows.transpose()).cwiseAbs().maxCoeff(), 1e-5);
}

TEST_P(ImageModelOfEach, JacobianAgreesWithDifferences) {
  // Floats ask for a large step. A kink of relu within it spoils a column now and then, a wrong
  // derivative nearly all of them.
  constexpr double kStep = 1e-3;
  constexpr int kPoints = 10;
  const Eigen::MatrixXd latents = some_latents(kPoints);
  Eigen::VectorXd pixels;
  Eigen::MatrixXd J;
  Eigen::MatrixXd decoded;
  int agreeing = 0;
  for (int point = 0; point < kPoints; ++point) {
    model_.decoder->jacobian(latents.col(point), pixels, J);
    for (int k = 0; k < 4; ++k) {
      Eigen::MatrixXd sides(4, 2);
      sides.colwise() = latents.col(point);
      sides(k, 0) += kStep;
      sides(k, 1) -= kStep;
      model_.decoder->decode(sides, decoded);
      const Eigen::VectorXd difference = (decoded.col(0) - decoded.col(1)) / (2.0 * kStep);
      if ((difference - J.col(k)).norm() < 0.03 * J.col(k).norm() + 3e-3) ++agreeing;
    }
  }
  EXPECT_GE(agreeing, 32);
}

TEST_P(ImageModelOfEach, VectorJacobianAgreesWithTheJacobian) {
  const Eigen::MatrixXd latents = some_latents(3);
  Eigen::MatrixXd given(pixels_, 3);
  RandomStream random(4);
  random.fill_normal(given);
  Eigen::MatrixXd pixels;
  Eigen::MatrixXd gradients;
  model_.decoder->vector_jacobian(latents, given, pixels, gradients);
  Eigen::MatrixXd decoded;
  model_.decoder->decode(latents, decoded);
  EXPECT_LT((pixels - decoded).cwiseAbs().maxCoeff(), 1e-5);
  for (int k = 0; k < 3; ++k) {
    Eigen::VectorXd unused;
    Eigen::MatrixXd J;
    model_.decoder->jacobian(latents.col(k), unused, J);
    const Eigen::VectorXd expected = J.transpose() * given.col(k);
    EXPECT_LT((gradients.col(k) - expected).norm(), 1e-4 * (1.0 + expected.norm())) << k;
  }
}

TEST_P(ImageModelOfEach, ComesBackFromItsFolderWithTheSamePixels) {
  const test::ScratchFolder scratch;
  write_image_model(scratch / "model", stored_);
  const ImageModel again = load_image_model(scratch / "model");
  EXPECT_EQ(again.name, stored_.name);
  EXPECT_EQ(again.scale.mean(), stored_.scale.mean());
  EXPECT_EQ(again.scale.deviation(), stored_.scale.deviation());
  Eigen::MatrixXd before;
  Eigen::MatrixXd after;
  model_.decoder->decode(some_latents(2), before);
  again.decoder->decode(some_latents(2), after);
  EXPECT_EQ(before, after);
  EXPECT_EQ(read_image_model(scratch / "model").training, stored_.training);
}

TEST(ImageModel, RefusesOtherSizes) {
  const ImageModel model = make_image_model(tiny_model());
  Eigen::MatrixXd out;
  Eigen::MatrixXd other;
  Eigen::VectorXd mean;
  Eigen::VectorXd deviation;
  EXPECT_THROW(model.decoder->decode(Eigen::MatrixXd::Zero(5, 1), out), std::invalid_argument);
  EXPECT_THROW(model.decoder->jacobian(Eigen::VectorXd::Zero(3), mean, out), std::invalid_argument);
  EXPECT_THROW(model.decoder->vector_jacobian(Eigen::MatrixXd::Zero(4, 2),
                                              Eigen::MatrixXd::Zero(192, 3), out, other),
               std::invalid_argument);
  EXPECT_THROW(model.encoder->encode(Eigen::VectorXd::Zero(3), mean, deviation),
               std::invalid_argument);
}

}  // namespace
}  // namespace ovf
