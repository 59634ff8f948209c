#include "ovf/model/sensor.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include "math/random_inputs.hpp"
#include "ovf/math/gradient_check.hpp"
#include "ovf/model/body_sensors.hpp"
#include "ovf/model/linear_mean.hpp"
#include "ovf/model/planar_motion.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::contains;
using test::message_of;
using test::RandomInputs;

constexpr int kDim = 4;
constexpr int kNumbers = 2;

struct NoiseChoice {
  double nu;  // 0: Gaussian
  bool message_noise;
  bool floors;
};

std::unique_ptr<MeanFunction> linear_mean() {
  RandomInputs inputs(21);
  LinearMean::Spec spec;
  spec.A = inputs.matrix(kNumbers, kDim);
  spec.b = inputs.vector(kNumbers);
  return std::make_unique<LinearMean>(spec);
}

// Range and bearing from a planar robot to a landmark.
std::unique_ptr<MeanFunction> landmark_mean() {
  const auto motion = std::make_shared<PlanarMotion>(PlanarMotion::Parameters{});
  return make_sensor_mean(RangeBearingSensor{motion, {}, {Eigen::Vector3d(-4.0, 3.0, 0.0)}}, 5);
}

class SensorNoiseChoice : public ::testing::TestWithParam<NoiseChoice> {
 protected:
  SensorNoiseChoice() {
    if (GetParam().message_noise) {
      input_.message_noise = inputs_.factor(kNumbers, CovarianceForm::kFull).lower();
    }
  }

  SensorNoise noise() const {
    SensorNoise noise;
    noise.scales = Eigen::Vector2d(0.7, 0.4);
    if (GetParam().floors) noise.floors = Eigen::Vector2d(0.3, 0.0);
    noise.learn_scales = true;
    noise.nu = GetParam().nu;
    noise.learn_nu = GetParam().nu > 0.0;
    return noise;
  }

  std::unique_ptr<Sensor> make(std::unique_ptr<MeanFunction> mean,
                               std::vector<bool> angles = {}) const {
    auto sensor =
        std::make_unique<Sensor>(Sensor::Spec{"eye", std::move(mean), noise(), std::move(angles)});
    sensor->bind(input_);
    return sensor;
  }

  /// L D^2 L'.
  Eigen::Matrix2d covariance() const {
    Eigen::Vector2d variances = noise().scales.cwiseAbs2();
    if (GetParam().floors) variances += noise().floors.cwiseAbs2();
    const Eigen::Matrix2d L = GetParam().message_noise ? Eigen::Matrix2d(input_.message_noise)
                                                       : Eigen::Matrix2d::Identity();
    return L * variances.asDiagonal() * L.transpose();
  }

  StepInput input_;
  mutable RandomInputs inputs_{22};
};

TEST_P(SensorNoiseChoice, HasTheDensityOfItsWholeCovariance) {
  const auto sensor = make(linear_mean());
  const Eigen::MatrixXd x = inputs_.matrix(kDim, 5);
  const Eigen::VectorXd y = inputs_.vector(kNumbers);
  Eigen::MatrixXd means;
  sensor->mean().values(input_, x, means);
  Eigen::VectorXd values;
  sensor->log_density(y, x, values);
  const double nu = GetParam().nu;
  const Eigen::Matrix2d C = covariance();
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    const Eigen::Vector2d r = y - means.col(i);
    const double square = r.dot(C.inverse() * r);
    double expected = -std::log(2.0 * std::numbers::pi) - 0.5 * std::log(C.determinant());
    if (nu == 0.0) {
      expected -= 0.5 * square;
    } else {
      // Gamma((nu + 2) / 2) / Gamma(nu / 2) = nu / 2.
      expected -= 0.5 * (nu + 2.0) * std::log1p(square / nu);
    }
    EXPECT_NEAR(values[i], expected, 1e-12);
  }
}

TEST_P(SensorNoiseChoice, HasTheNumericalGradient) {
  const auto sensor = make(landmark_mean(), {false, true});
  const Eigen::MatrixXd x = inputs_.matrix(5, 4);
  const Eigen::Vector2d y(5.0, 2.0);
  Eigen::MatrixXd gradient;
  sensor->gradient(y, x, gradient);
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    const auto value = [&](const Eigen::VectorXd& moved) {
      Eigen::VectorXd out;
      sensor->log_density(y, moved, out);
      return out[0];
    };
    EXPECT_TRUE(all_close(gradient.col(i), numerical_gradient(value, x.col(i)), 1e-7));
  }
}

TEST_P(SensorNoiseChoice, HasTheNumericalScores) {
  const auto sensor = make(linear_mean());
  const Eigen::MatrixXd x = inputs_.matrix(kDim, 4);
  const Eigen::VectorXd y = inputs_.vector(kNumbers);
  const Eigen::VectorXd theta = sensor->parameters().values();
  ASSERT_EQ(theta.size(), GetParam().nu > 0.0 ? 3 : 2);
  Eigen::MatrixXd scores(theta.size(), x.cols());
  sensor->scores(y, x, scores);
  const auto values = [&](const Eigen::VectorXd& moved) -> Eigen::VectorXd {
    sensor->set_parameters(moved);
    Eigen::VectorXd out;
    sensor->log_density(y, x, out);
    return out;
  };
  EXPECT_TRUE(all_close(scores, numerical_jacobian(values, theta).transpose(), 1e-8));
}

TEST_P(SensorNoiseChoice, DerivesItsExpectedValueByTheMomentsOfTheBelief) {
  const auto sensor = make(linear_mean());
  const Eigen::VectorXd y = inputs_.vector(kNumbers);
  const Gaussian q = inputs_.gaussian(kDim, CovarianceForm::kFull);
  ExpectedDerivatives at;
  sensor->expected_derivatives(y, q, at);
  const auto by_mean = [&](const Eigen::VectorXd& mean) {
    ExpectedDerivatives out;
    sensor->expected_derivatives(y, {mean, q.factor}, out);
    return out.value;
  };
  EXPECT_TRUE(all_close(at.gradient, numerical_gradient(by_mean, q.mean), 1e-8));
  // dE/dcovariance = -curvature / 2 (Bonnet and Price).
  const Eigen::MatrixXd covariance = q.covariance();
  const auto by_covariance = [&](const Eigen::VectorXd& entries) {
    ExpectedDerivatives out;
    const Eigen::MatrixXd free = entries.reshaped(kDim, kDim);
    const Eigen::MatrixXd moved = 0.5 * (free + free.transpose());
    sensor->expected_derivatives(
        y, {q.mean, CovarianceFactor::from_covariance(moved, CovarianceForm::kFull)}, out);
    return out.value;
  };
  const Eigen::MatrixXd slope =
      numerical_gradient(by_covariance, covariance.reshaped()).reshaped(kDim, kDim);
  // Of a Student-t its share of a Gaussian's information.
  const double share =
      GetParam().nu == 0.0 ? 1.0 : student_t_information(GetParam().nu, kNumbers).gaussian_share;
  EXPECT_TRUE(all_close(-0.5 * at.curvature, share * slope, 1e-8));
}

TEST_P(SensorNoiseChoice, BoundsTheExpectedLogDensityFromBelow) {
  const auto sensor = make(linear_mean());
  const Eigen::VectorXd y = inputs_.vector(kNumbers);
  const Gaussian q = inputs_.gaussian(kDim, CovarianceForm::kFull);
  ExpectedDerivatives at;
  sensor->expected_derivatives(y, q, at);
  // Equal weights on points with the belief's moments: exact for the quadratic form in the bound.
  const Eigen::MatrixXd x = (q.factor.lower() * test::cubature_points(kDim)).colwise() + q.mean;
  Eigen::VectorXd values;
  sensor->log_density(y, x, values);
  if (GetParam().nu == 0.0) {
    EXPECT_NEAR(at.value, values.mean(), 1e-12);
  } else {
    EXPECT_LT(at.value, values.mean());
  }
}

TEST_P(SensorNoiseChoice, DerivesItsExpectedValueByItsParameters) {
  const auto sensor = make(linear_mean());
  const Eigen::VectorXd y = inputs_.vector(kNumbers);
  const Gaussian q = inputs_.gaussian(kDim, CovarianceForm::kFull);
  const Eigen::VectorXd theta = sensor->parameters().values();
  const int count = static_cast<int>(theta.size());
  const auto expected_value = [&](const Eigen::VectorXd& moved) {
    sensor->set_parameters(moved);
    ExpectedDerivatives out;
    sensor->expected_derivatives(y, q, out);
    return out.value;
  };
  const Eigen::VectorXd numerical = numerical_gradient(expected_value, theta);
  sensor->set_parameters(theta);

  // Where other parameters come first.
  constexpr int kFirst = 2;
  const auto scores_at = [&](const Eigen::VectorXd& mean, const Eigen::MatrixXd& L) {
    QuadraticFunctions out(kDim, kFirst + count);
    out.set_zero();
    sensor->expected_scores(y, {mean, L, Eigen::MatrixXd::Zero(kDim, 0)}, kFirst, out);
    return out;
  };
  const Eigen::MatrixXd L = q.factor.lower();
  const QuadraticFunctions at = scores_at(q.mean, L);
  EXPECT_TRUE(at.constant().head(kFirst).isZero(0.0));
  EXPECT_TRUE(all_close(at.constant().tail(count), numerical, 1e-8));

  // Its covariance with the state is how the mean score moves with the belief's moments.
  const auto by_shift = [&](const Eigen::VectorXd& z) -> Eigen::VectorXd {
    return scores_at(q.mean + L * z, L).constant().tail(count);
  };
  const Eigen::MatrixXd linear = numerical_jacobian(by_shift, Eigen::VectorXd::Zero(kDim));
  EXPECT_TRUE(all_close(at.linear().rightCols(count).transpose(), linear, 1e-7));
  const Eigen::MatrixXd stretch = inputs_.matrix(kDim, kDim).triangularView<Eigen::Lower>();
  const auto by_stretch = [&](const Eigen::VectorXd& amount) -> Eigen::VectorXd {
    return scores_at(q.mean, L + amount[0] * L * stretch).constant().tail(count);
  };
  const Eigen::VectorXd quadratic = numerical_jacobian(by_stretch, Eigen::VectorXd::Zero(1));
  for (int j = 0; j < count; ++j) {
    EXPECT_NEAR((at.quadratic_of(kFirst + j) * stretch).trace(), quadratic[j],
                1e-7 * std::max(1.0, std::abs(quadratic[j])));
  }
}

TEST_P(SensorNoiseChoice, LinearisesWithTheNoiseOfItsInformation) {
  const auto sensor = make(linear_mean());
  const Gaussian q = inputs_.gaussian(kDim, CovarianceForm::kFull);
  AffineGaussian line;
  sensor->linearise(q, Linearisation::kExpected, line);
  const double nu = GetParam().nu;
  const double widening = nu == 0.0 ? 1.0 : (nu + kNumbers + 2.0) / (nu + kNumbers);
  EXPECT_TRUE(all_close(line.noise.covariance(), widening * covariance(), 1e-13));
  Eigen::MatrixXd value;
  sensor->mean().values(input_, q.mean, value);
  EXPECT_TRUE(all_close(line.matrix * q.mean + line.offset, value, 1e-13));
}

TEST_P(SensorNoiseChoice, DrawsWithTheMomentsOfItsNoise) {
  const auto sensor = make(linear_mean());
  constexpr int kDraws = 200000;
  const Eigen::VectorXd at = inputs_.vector(kDim);
  RandomStream random(23);
  Eigen::MatrixXd y, mean;
  sensor->sample(at.replicate(1, kDraws), random, y);
  sensor->mean().values(input_, at, mean);
  const Eigen::MatrixXd r = y.colwise() - mean.col(0);
  const double nu = GetParam().nu;
  const Eigen::MatrixXd expected = covariance() * (nu == 0.0 ? 1.0 : nu / (nu - 2.0));
  // Five standard errors of a covariance: 5 sqrt((2 + excess kurtosis) / draws), nu = 8: 6 / 4.
  const double tolerance = 5.0 * std::sqrt(3.5 / kDraws) * expected.diagonal().maxCoeff();
  EXPECT_TRUE(all_close(r * r.transpose() / kDraws, expected, tolerance));
  EXPECT_LT(r.rowwise().mean().norm(), 5.0 * std::sqrt(expected.trace() / kDraws));
}

INSTANTIATE_TEST_SUITE_P(Noises, SensorNoiseChoice,
                         ::testing::Values(NoiseChoice{0.0, false, false},
                                           NoiseChoice{0.0, true, true},
                                           NoiseChoice{8.0, false, true},
                                           NoiseChoice{8.0, true, false}),
                         [](const auto& choice) {
                           return std::string(choice.param.nu > 0.0 ? "StudentT" : "Gaussian") +
                                  (choice.param.message_noise ? "WithMessageNoise" : "") +
                                  (choice.param.floors ? "WithFloors" : "");
                         });

SensorNoise simple_noise(int dim) {
  SensorNoise noise;
  noise.scales = Eigen::VectorXd::Constant(dim, 0.1);
  return noise;
}

TEST(Sensor, ComparesAnglesOnTheCircle) {
  Sensor sensor({"compass",
                 std::make_unique<LinearMean>(LinearMean::identity(2)),
                 simple_noise(2),
                 {true, false}});
  Eigen::VectorXd y = Eigen::Vector2d(-3.1, -3.1);
  sensor.unwrap(Eigen::Vector2d(3.1, 3.1), y);
  EXPECT_NEAR(y[0], 2.0 * std::numbers::pi - 3.1, 1e-15);
  EXPECT_EQ(y[1], -3.1);
  // Many turns away is the same.
  const Eigen::MatrixXd x = Eigen::Vector2d(3.1, 0.0);
  Eigen::VectorXd near, far;
  sensor.log_density(Eigen::Vector2d(3.15, 0.0), x, near);
  sensor.log_density(Eigen::Vector2d(3.15 - 6.0 * std::numbers::pi, 0.0), x, far);
  EXPECT_NEAR(near[0], far[0], 1e-10);
  ExpectedDerivatives one, other;
  const Gaussian q{x, CovarianceFactor(2, CovarianceForm::kFull, 0.1)};
  sensor.expected_derivatives(Eigen::Vector2d(3.15, 0.0), q, one);
  sensor.expected_derivatives(Eigen::Vector2d(3.15 + 4.0 * std::numbers::pi, 0.0), q, other);
  EXPECT_TRUE(all_close(one.gradient, other.gradient, 1e-10));
}

TEST(Sensor, TrustsAnOutlierLessTheFartherItIs) {
  SensorNoise noise = simple_noise(1);
  noise.nu = 4.0;
  const Sensor sensor({"range", std::make_unique<LinearMean>(LinearMean::identity(1)), noise, {}});
  const Gaussian q = standard_gaussian(1, CovarianceForm::kFull);
  double last = std::numeric_limits<double>::infinity();
  for (const double y : {0.0, 2.0, 10.0, 100.0}) {
    ExpectedDerivatives out;
    sensor.expected_derivatives(Eigen::VectorXd::Constant(1, y), q, out);
    EXPECT_GT(out.curvature(0, 0), 0.0);
    EXPECT_LT(out.curvature(0, 0), last);
    last = out.curvature(0, 0);
  }
}

TEST(Sensor, NamesWhatItLearns) {
  SensorNoise noise = simple_noise(2);
  noise.learn_scales = true;
  noise.nu = 5.0;
  noise.learn_nu = true;
  const Sensor two({"camera", std::make_unique<LinearMean>(LinearMean::identity(2)), noise, {}});
  ASSERT_EQ(two.parameters().size(), 3);
  EXPECT_EQ(two.parameters().info(0).name, "camera.noise[0]");
  EXPECT_EQ(two.parameters().info(2).name, "camera.nu");
  EXPECT_EQ(two.parameters().values()[2], 5.0);
  noise.scales = Eigen::VectorXd::Ones(1);
  noise.learn_nu = false;
  const Sensor one({"sonar", std::make_unique<LinearMean>(LinearMean::identity(1)), noise, {}});
  ASSERT_EQ(one.parameters().size(), 1);
  EXPECT_EQ(one.parameters().info(0).name, "sonar.noise");
}

TEST(Sensor, RefusesABadSpecification) {
  const auto why = [](SensorNoise noise, std::vector<bool> angles = {}) {
    return message_of([&] {
      Sensor({"eye", std::make_unique<LinearMean>(LinearMean::identity(2)), noise, angles});
    });
  };
  SensorNoise noise = simple_noise(2);
  noise.scales[1] = -1.0;
  EXPECT_TRUE(contains(why(noise), "eye: noise[1] is -1"));
  EXPECT_TRUE(contains(why(simple_noise(3)), "3 noise scales"));
  EXPECT_TRUE(contains(why(simple_noise(2), {true}), "1 angle marks"));
  noise = simple_noise(2);
  noise.nu = 0.5;
  EXPECT_TRUE(contains(why(noise), "nu is 0.5"));
  noise.nu = 0.0;
  noise.learn_nu = true;
  EXPECT_TRUE(contains(why(noise), "nu is 0"));
  noise = simple_noise(2);
  noise.floors = Eigen::VectorXd::Zero(1);
  EXPECT_TRUE(contains(why(noise), "noise floors is 1"));
  EXPECT_TRUE(contains(why(SensorNoise{}), "number of noise scales is 0"));
  EXPECT_TRUE(contains(message_of([] {
                         Sensor({"eye", nullptr, simple_noise(1), {}});
                       }),
                       "eye: no mean"));
}

// log of the integral of g over the prediction, by brute force over a grid.
double log_predictive(const Sensor& sensor, const Eigen::VectorXd& y, const Gaussian& prediction) {
  constexpr int kSteps = 400;
  constexpr double kReach = 8.0;
  const double step = 2.0 * kReach / kSteps;
  Eigen::MatrixXd x(1, kSteps);
  for (int i = 0; i < kSteps; ++i) {
    const double z = -kReach + (i + 0.5) * step;
    x(0, i) = prediction.mean[0] + prediction.factor.lower()(0, 0) * z;
  }
  Eigen::VectorXd log_g;
  Eigen::VectorXd log_p;
  sensor.log_density(y, x, log_g);
  log_density(prediction, x, log_p);
  return std::log((log_g + log_p).array().exp().sum() * step * prediction.factor.lower()(0, 0));
}

TEST(Sensor, HasTheScoresOfItsPredictiveDensity) {
  for (const double nu : {0.0, 3.0}) {
    LinearMean::Spec spec;
    spec.A = Eigen::MatrixXd::Constant(1, 1, 0.8);
    spec.b = Eigen::VectorXd::Constant(1, 0.1);
    SensorNoise noise{.scales = Eigen::VectorXd::Constant(1, 0.5),
                      .floors = Eigen::VectorXd::Constant(1, 0.2),
                      .learn_scales = true,
                      .nu = nu,
                      .learn_nu = nu > 0.0};
    Sensor sensor({"eye", std::make_unique<LinearMean>(spec), noise, {}});
    const StepInput input;
    sensor.bind(input);
    Gaussian prediction = standard_gaussian(1, CovarianceForm::kFull);
    prediction.mean[0] = 0.3;
    prediction.factor.lower()(0, 0) = 0.7;
    const Eigen::VectorXd y = Eigen::VectorXd::Constant(1, 1.4);
    Eigen::VectorXd gradient;
    Eigen::MatrixXd information;
    sensor.predictive_scores(y, prediction, gradient, information);
    const Eigen::VectorXd theta = sensor.parameters().values();
    const auto value = [&](const Eigen::VectorXd& moved) {
      sensor.set_parameters(moved);
      return log_predictive(sensor, y, prediction);
    };
    const Eigen::VectorXd expected = numerical_gradient(value, theta);
    EXPECT_TRUE(all_close(gradient, expected, nu > 0.0 ? 1e-3 : 1e-6))
        << gradient.transpose() << " and " << expected.transpose();
    if (nu > 0.0) continue;
    // 2 (R' / S)^2 / scale^2 with R' the part of the noise that the scale makes.
    const double s = 0.8 * 0.8 * 0.7 * 0.7 + 0.29;
    EXPECT_NEAR(information(0, 0), 2.0 * std::pow(0.5 / s, 2), 1e-12);
  }
}

TEST(Sensor, CountsForItsWeight) {
  SensorNoise noise{.scales = Eigen::Vector2d(0.7, 0.4), .learn_scales = true, .nu = 4.0};
  Sensor sensor({"eye", linear_mean(), noise, {}});
  RandomInputs inputs(5);
  const Gaussian q{inputs.vector(kDim), inputs.factor(kDim, CovarianceForm::kFull)};
  const Eigen::VectorXd y = inputs.vector(kNumbers);
  StepInput input;
  sensor.bind(input);
  ExpectedDerivatives whole;
  sensor.expected_derivatives(y, q, whole);
  input.weight = 0.25;
  ExpectedDerivatives part;
  sensor.expected_derivatives(y, q, part);
  EXPECT_NEAR(part.value, 0.25 * whole.value, 1e-12);
  EXPECT_TRUE(all_close(part.gradient, 0.25 * whole.gradient, 1e-12));
  EXPECT_TRUE(all_close(part.curvature, 0.25 * whole.curvature, 1e-12));
}

TEST(Sensor, KeepsItsNoiseAboveAThirdOfItsStartWhereErrorsLast) {
  SensorNoise noise{.scales = Eigen::Vector2d(0.6, 0.3), .learn_scales = true, .factor = 3.0};
  Sensor sensor({"eye", linear_mean(), noise, {}});
  sensor.set_parameters(Eigen::Vector2d(0.01, 0.01));
  StepInput input;
  sensor.bind(input);
  AffineGaussian line;
  const Gaussian at = standard_gaussian(kDim, CovarianceForm::kFull);
  sensor.linearise(at, Linearisation::kExpected, line);
  EXPECT_NEAR(line.noise.lower()(0, 0), 0.01, 1e-12);
  EXPECT_EQ(sensor.noise_floor(0, false), 0.0);
  input.errors_last = true;
  sensor.linearise(at, Linearisation::kExpected, line);
  EXPECT_NEAR(line.noise.lower()(0, 0), std::hypot(0.01, 0.2), 1e-12);
  EXPECT_NEAR(sensor.noise_floor(0, true), 0.2, 1e-12);
  // Nor does such a step say anything of its noise.
  Eigen::MatrixXd scores(2, 1);
  sensor.scores(Eigen::Vector2d(1.0, 2.0), Eigen::MatrixXd::Zero(kDim, 1), scores);
  EXPECT_TRUE(scores.isZero(0.0));
}

}  // namespace
}  // namespace ovf
