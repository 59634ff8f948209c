#include "ovf/vision/image_observation.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

#include "ovf/filter/kalman_filter.hpp"
#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/model/linear_gaussian.hpp"

namespace ovf {
namespace {

constexpr int kLatent = 3;
constexpr int kPixels = 20;
constexpr double kVariance = 0.1;

/// pixels = W x + bend tanh(W x).
class TestDecoder final : public ImageDecoder {
 public:
  explicit TestDecoder(double bend) : bend_(bend), W_(kPixels, kLatent) {
    RandomStream random(1);
    random.fill_normal(W_);
  }
  const Eigen::MatrixXd& W() const { return W_; }

  int latent_dim() const override { return kLatent; }
  int pixel_dim() const override { return kPixels; }
  void decode(const Eigen::MatrixXd& latents, Eigen::MatrixXd& pixels) override {
    const Eigen::MatrixXd lines = W_ * latents;
    pixels = lines.array() + bend_ * lines.array().tanh();
  }
  void vector_jacobian(const Eigen::MatrixXd& latents, const Eigen::MatrixXd& pixel_gradients,
                       Eigen::MatrixXd& pixels, Eigen::MatrixXd& latent_gradients) override {
    decode(latents, pixels);
    const Eigen::MatrixXd lines = W_ * latents;
    const Eigen::MatrixXd slope = 1.0 + bend_ * (1.0 - lines.array().tanh().square());
    latent_gradients = W_.transpose() * slope.cwiseProduct(pixel_gradients);
  }
  void jacobian(const Eigen::VectorXd& latent, Eigen::VectorXd& pixels,
                Eigen::MatrixXd& J) override {
    ++jacobians;
    Eigen::MatrixXd all;
    decode(latent, all);
    pixels = all;
    const Eigen::VectorXd lines = W_ * latent;
    const Eigen::VectorXd slope = 1.0 + bend_ * (1.0 - lines.array().tanh().square());
    J = slope.asDiagonal() * W_;
  }

  int jacobians = 0;

 private:
  double bend_;
  Eigen::MatrixXd W_;
};

Gaussian some_gaussian() {
  Gaussian q = standard_gaussian(kLatent, CovarianceForm::kFull);
  q.mean << 0.3, -0.2, 0.5;
  q.factor.lower() << 0.4, 0.0, 0.0, 0.1, 0.3, 0.0, -0.1, 0.2, 0.5;
  return q;
}

Eigen::VectorXd some_picture(TestDecoder& decoder) {
  Eigen::MatrixXd pixels;
  decoder.decode(Eigen::Vector3d(0.5, 0.1, 0.2), pixels);
  return pixels;
}

TEST(ImageObservation, HasTheDensityAndTheGradientOfItsDecoder) {
  const auto decoder = std::make_shared<TestDecoder>(0.7);
  const ImageObservation observation(decoder, kVariance);
  const Eigen::VectorXd y = some_picture(*decoder);
  Eigen::MatrixXd x(kLatent, 2);
  x << 0.5, -1.0, 0.1, 0.4, 0.2, 0.3;
  Eigen::VectorXd values;
  observation.log_density(y, x, values);
  EXPECT_NEAR(values[0], -0.5 * kPixels * std::log(2.0 * std::numbers::pi * kVariance), 1e-12);
  Eigen::MatrixXd gradient;
  observation.gradient(y, x, gradient);
  const double step = 1e-6;
  for (int i = 0; i < kLatent; ++i) {
    Eigen::MatrixXd up = x;
    Eigen::MatrixXd down = x;
    up.row(i).array() += step;
    down.row(i).array() -= step;
    Eigen::VectorXd above;
    Eigen::VectorXd below;
    observation.log_density(y, up, above);
    observation.log_density(y, down, below);
    const Eigen::VectorXd slope = (above - below) / (2.0 * step);
    EXPECT_LT((gradient.row(i).transpose() - slope).norm(), 1e-6 * (1.0 + slope.norm()));
  }
}

TEST(ImageObservation, HasExactExpectationsOfALinearDecoder) {
  const auto decoder = std::make_shared<TestDecoder>(0.0);
  const ImageObservation observation(decoder, kVariance);
  const Eigen::VectorXd y = some_picture(*decoder);
  ExpectedDerivatives fast;
  observation.expected_derivatives(y, some_gaussian(), fast);
  ExpectedDerivatives cubature;
  observation.Observation::expected_derivatives(y, some_gaussian(), cubature);
  EXPECT_NEAR(fast.value, cubature.value, 1e-9 * std::abs(cubature.value));
  EXPECT_LT((fast.gradient - cubature.gradient).norm(), 1e-9 * cubature.gradient.norm());
  EXPECT_LT((fast.curvature - cubature.curvature).norm(), 1e-9 * cubature.curvature.norm());
}

TEST(ImageObservation, MeasuresInnovationsAsACovarianceOfAllPixelsWould) {
  const auto decoder = std::make_shared<TestDecoder>(0.7);
  const ImageObservation observation(decoder, kVariance);
  const Eigen::VectorXd y = some_picture(*decoder);
  const Gaussian prediction = some_gaussian();
  Eigen::VectorXd innovation;
  const InnovationSize size = observation.innovation(y, prediction, innovation);
  AffineGaussian line;
  observation.linearise(prediction, Linearisation::kExpected, line);
  const Eigen::MatrixXd covariance =
      line.matrix * prediction.covariance() * line.matrix.transpose() + line.noise.covariance();
  const Eigen::VectorXd expected = y - line.offset - line.matrix * prediction.mean;
  EXPECT_LT((innovation - expected).norm(), 1e-12);
  EXPECT_NEAR(size.nis, expected.dot(covariance.llt().solve(expected)), 1e-9 * size.nis);
  const double log_determinant =
      2.0 * Eigen::MatrixXd(covariance.llt().matrixL()).diagonal().array().log().sum();
  EXPECT_NEAR(size.log_density,
              -0.5 * (size.nis + log_determinant + kPixels * std::log(2.0 * std::numbers::pi)),
              1e-9 * std::abs(size.log_density));
}

TEST(ImageObservation, CostsOneJacobianForEachPlace) {
  const auto decoder = std::make_shared<TestDecoder>(0.7);
  const ImageObservation observation(decoder, kVariance);
  const Eigen::VectorXd y = some_picture(*decoder);
  Eigen::VectorXd innovation;
  ExpectedDerivatives derivatives;
  observation.innovation(y, some_gaussian(), innovation);
  observation.expected_derivatives(y, some_gaussian(), derivatives);
  EXPECT_EQ(decoder->jacobians, 1);
}

TEST(ImageObservation, OfALinearDecoderIsFilteredAsByKalman) {
  const auto decoder = std::make_shared<TestDecoder>(0.0);
  LinearGaussianSpec spec;
  spec.prior = standard_gaussian(kLatent, CovarianceForm::kFull);
  spec.F = 0.9 * Eigen::Matrix3d::Identity();
  spec.G = decoder->W();
  spec.U = 0.05 * Eigen::Matrix3d::Identity();
  spec.V = kVariance * Eigen::MatrixXd::Identity(kPixels, kPixels);
  KalmanFilter kalman(make_linear_gaussian(spec));
  const LinearConditional::Spec motion{"F", spec.F, Learned::kNo, "U", spec.U, Learned::kNo};
  OnlineVariationalFilter filter(
      StateSpaceModel(spec.prior, std::make_unique<LinearTransition>(motion),
                      std::make_unique<ImageObservation>(decoder, kVariance)),
      OnlineVariationalFilterConfig::fast());
  RandomStream random(3);
  for (int t = 0; t < 20; ++t) {
    Eigen::MatrixXd y(kPixels, 1);
    random.fill_normal(y);
    const StepResult& one = kalman.step(y);
    const StepResult& two = filter.step(y);
    ASSERT_TRUE(two.ok()) << two.reason;
    EXPECT_LT((kalman.belief().mean - filter.belief().mean).norm(), 1e-8) << t;
    EXPECT_LT((kalman.belief().covariance() - filter.belief().covariance()).norm(), 1e-8) << t;
    EXPECT_NEAR(one.nis, two.nis, 1e-6 * one.nis) << t;
  }
}

TEST(ImageObservation, RefusesWhatItCannotBe) {
  EXPECT_THROW(ImageObservation(nullptr, 0.1), std::invalid_argument);
  EXPECT_THROW(ImageObservation(std::make_shared<TestDecoder>(0.0), 0.0), std::invalid_argument);
  EXPECT_THROW(ImageObservation(std::make_shared<TestDecoder>(0.0), std::nan("")),
               std::invalid_argument);
}

}  // namespace
}  // namespace ovf
