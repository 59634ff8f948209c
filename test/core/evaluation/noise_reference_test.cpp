#include "ovf/evaluation/noise_reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>

#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/evaluation/localisation.hpp"
#include "ovf/math/student_t.hpp"
#include "source_folder.hpp"

namespace ovf {
namespace {

constexpr double kLowestNu = 1.0;
constexpr double kHighestNu = 200.0;

// A column for each message; nu = 0: Gaussian.
Eigen::MatrixXd draw(const Eigen::VectorXd& deviations, double nu, int count, std::uint64_t seed) {
  RandomStream random(seed);
  Eigen::MatrixXd residuals(deviations.size(), count);
  random.fill_normal(residuals);
  for (int i = 0; i < count; ++i) {
    if (nu > 0.0) residuals.col(i) /= std::sqrt(draw_gamma(0.5 * nu, random) / (0.5 * nu));
  }
  return deviations.asDiagonal() * residuals;
}

SensorNoise noise_of(int dim, double nu) {
  return {.scales = Eigen::VectorXd::Ones(dim),
          .floors = {},
          .learn_scales = true,
          .nu = nu,
          .learn_nu = nu > 0.0};
}

NoiseFit fit(const Eigen::MatrixXd& residuals, const SensorNoise& noise) {
  return fit_noise(residuals, noise, kLowestNu, kHighestNu);
}

// Of a Student-t in all directions alike, written out.
double log_likelihood(const Eigen::MatrixXd& residuals, const Eigen::VectorXd& deviations,
                      double nu) {
  const auto k = static_cast<double>(residuals.rows());
  double sum = 0.0;
  for (Eigen::Index i = 0; i < residuals.cols(); ++i) {
    const double square = residuals.col(i).cwiseQuotient(deviations).squaredNorm();
    sum += std::lgamma(0.5 * (nu + k)) - std::lgamma(0.5 * nu) -
           0.5 * k * std::log(nu * std::numbers::pi) - deviations.array().log().sum() -
           0.5 * (nu + k) * std::log1p(square / nu);
  }
  return sum;
}

TEST(NoiseFit, RecoversScalesAndDegreesOfFreedom) {
  const Eigen::Vector2d truth(0.05, 0.3);
  for (const double nu : {1.5, 4.0, 10.0}) {
    const NoiseFit found = fit(draw(truth, nu, 20000, 1), noise_of(2, 4.0));
    // About five standard deviations of so many draws.
    EXPECT_NEAR(found.scales[0], truth[0], 0.04 * truth[0]) << nu;
    EXPECT_NEAR(found.scales[1], truth[1], 0.04 * truth[1]) << nu;
    EXPECT_NEAR(found.nu, nu, 0.03 * nu * (4.0 + nu)) << nu;
  }
  const NoiseFit gaussian = fit(draw(truth, 0.0, 20000, 2), noise_of(2, 0.0));
  EXPECT_EQ(gaussian.nu, 0.0);
  EXPECT_NEAR(gaussian.scales[0], truth[0], 0.025 * truth[0]);
}

TEST(NoiseFit, IsTheMeanSquareOfGaussianResiduals) {
  const Eigen::MatrixXd residuals = draw(Eigen::Vector2d(0.2, 3.0), 0.0, 100, 3);
  const NoiseFit found = fit(residuals, noise_of(2, 0.0));
  const Eigen::VectorXd expected = residuals.cwiseAbs2().rowwise().mean().cwiseSqrt();
  EXPECT_LT((found.scales - expected).norm(), 1e-12);
}

TEST(NoiseFit, IsTheBestOfABruteForceGrid) {
  // With outliers, so that no Student-t is the true distribution.
  Eigen::MatrixXd residuals = draw(Eigen::VectorXd::Constant(1, 0.1), 4.0, 200, 4);
  for (int i = 0; i < 200; i += 33) residuals(0, i) += 3.0;
  const NoiseFit found = fit(residuals, noise_of(1, 4.0));
  EXPECT_NEAR(found.log_likelihood, log_likelihood(residuals, found.scales, found.nu), 1e-8);
  double best = -1e300;
  double best_scale = 0.0;
  double best_nu = 0.0;
  for (double log_scale = std::log(0.02); log_scale < std::log(0.5); log_scale += 0.02) {
    for (double log_nu = 0.0; log_nu < std::log(50.0); log_nu += 0.02) {
      const double value = log_likelihood(
          residuals, Eigen::VectorXd::Constant(1, std::exp(log_scale)), std::exp(log_nu));
      if (value <= best) continue;
      best = value;
      best_scale = std::exp(log_scale);
      best_nu = std::exp(log_nu);
    }
  }
  EXPECT_GE(found.log_likelihood, best);
  EXPECT_NEAR(found.log_likelihood, best, 0.05);
  EXPECT_NEAR(found.scales[0], best_scale, 0.02 * best_scale);
  EXPECT_NEAR(found.nu, best_nu, 0.03 * best_nu);
}

TEST(NoiseFit, TakesTheFloorIntoAccount) {
  SensorNoise noise = noise_of(2, 4.0);
  noise.floors = Eigen::Vector2d(0.3, 0.3);
  // One standard deviation above the floor, one below it.
  const Eigen::MatrixXd residuals = draw(Eigen::Vector2d(0.5, 0.1), 4.0, 20000, 5);
  const NoiseFit found = fit(residuals, noise);
  EXPECT_EQ(found.scales[1], 0.0);
  EXPECT_GT(found.scales[0], 0.0);
  // No better place nearby: the best along each axis of a grid.
  const auto value = [&](double scale, double other, double nu) {
    return log_likelihood(residuals,
                          Eigen::Vector2d(std::hypot(scale, 0.3), std::hypot(other, 0.3)), nu);
  };
  const double best = value(found.scales[0], 0.0, found.nu);
  for (const double factor : {0.97, 1.03}) {
    EXPECT_LT(value(factor * found.scales[0], 0.0, found.nu), best);
    EXPECT_LT(value(found.scales[0], 0.0, factor * found.nu), best);
  }
  EXPECT_LT(value(found.scales[0], 0.05, found.nu), best);
}

TEST(NoiseFit, KeepsWhatIsNotLearned) {
  SensorNoise noise = noise_of(1, 4.0);
  noise.learn_nu = false;
  const Eigen::MatrixXd residuals = draw(Eigen::VectorXd::Constant(1, 0.1), 4.0, 5000, 6);
  EXPECT_EQ(fit(residuals, noise).nu, 4.0);
  EXPECT_NEAR(fit(residuals, noise).scales[0], 0.1, 0.01);
  noise.learn_nu = true;
  noise.learn_scales = false;
  noise.scales[0] = 0.1;
  EXPECT_EQ(fit(residuals, noise).scales[0], 0.1);
  EXPECT_NEAR(fit(residuals, noise).nu, 4.0, 1.5);
  EXPECT_THROW(fit(Eigen::MatrixXd(1, 0), noise), std::invalid_argument);
  EXPECT_THROW(fit(Eigen::MatrixXd(2, 5), noise), std::invalid_argument);
}

TEST(NoiseReferences, AreTheTrueValuesOfAWellSpecifiedRobot) {
  PlanarSimulatorConfig simulation;
  simulation.well_specified = true;
  simulation.gnss.noise = 1.0;
  simulation.gnss.timing.rate = 20.0;
  const RobotLog log = simulate(simulation, 200.0);
  auto config = load_estimator_config(test::config_folder() / "planar_all_sensors.yaml");
  take_landmarks(log, config);
  const auto found = noise_references(log, config);
  const std::map<std::string, double> values(found.begin(), found.end());
  ASSERT_EQ(values.size(), 9U);
  // About five standard deviations.
  EXPECT_NEAR(values.at("uwb.noise"), simulation.uwb.noise, 0.15 * simulation.uwb.noise);
  EXPECT_NEAR(values.at("uwb.nu"), simulation.uwb.tails.nu, 2.5);
  EXPECT_NEAR(values.at("camera.noise[0]"), simulation.camera.range_noise, 0.006);
  EXPECT_NEAR(values.at("camera.noise[1]"), simulation.camera.bearing_noise, 0.0025);
  EXPECT_NEAR(values.at("camera.nu"), simulation.camera.tails.nu, 2.5);
  // Together with its floor.
  EXPECT_NEAR(values.at("gnss.noise[0]"), std::hypot(1.0, 1.0), 0.2);
  EXPECT_NEAR(values.at("gnss.noise[1]"), std::hypot(1.0, 1.0), 0.2);
  EXPECT_NEAR(values.at("gnss.nu"), simulation.gnss.tails.nu, 2.5);
  EXPECT_NEAR(values.at("imu.noise"), simulation.imu.noise, 0.0005);
  RobotLog recorded = log;
  recorded.noise_free.clear();
  EXPECT_THROW(noise_references(recorded, config), std::invalid_argument);
}

}  // namespace
}  // namespace ovf
