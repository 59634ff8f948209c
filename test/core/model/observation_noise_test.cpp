#include "ovf/model/observation_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "math/random_inputs.hpp"
#include "ovf/math/gaussian.hpp"
#include "ovf/math/gradient_check.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

const Eigen::Vector2d kScales(0.4, 1.3);

ObservationNoise::Spec spec_of(NoiseKind kind, LearnedScale scale = LearnedScale::kNo) {
  return {.kind = kind,
          .scales = kScales,
          .nu = 2.5,
          .learn_scale = scale,
          .learn_nu = kind == NoiseKind::kStudentT && scale != LearnedScale::kNo};
}

double value(const ObservationNoise& noise, const Eigen::VectorXd& e) {
  Eigen::VectorXd out;
  noise.log_density(e, out);
  return out[0];
}

// E[h(e)] for e ~ N(mean, spread^2) by the trapezoidal rule, here exact to rounding.
template <typename Function>
double brute_force(double mean, double spread, const Function& h) {
  constexpr int kSteps = 2000;
  double sum = 0.0, weights = 0.0;
  for (int i = 0; i <= kSteps; ++i) {
    const double z = -9.0 + 18.0 * i / kSteps;
    const double weight = std::exp(-0.5 * z * z);
    sum += weight * h(mean + spread * z);
    weights += weight;
  }
  return sum / weights;
}

struct NoiseCase {
  NoiseKind kind;
  LearnedScale scale;
};

class ObservationNoiseCase : public ::testing::TestWithParam<NoiseCase> {
 protected:
  ObservationNoise noise_{spec_of(GetParam().kind, GetParam().scale)};
};

TEST_P(ObservationNoiseCase, HasTheNumericalSlope) {
  RandomInputs inputs(51);
  const Eigen::MatrixXd e = inputs.matrix(2, 5);
  Eigen::MatrixXd slope;
  noise_.slope(e, slope);
  for (int i = 0; i < e.cols(); ++i) {
    const auto f = [&](const Eigen::VectorXd& moved) { return value(noise_, moved); };
    EXPECT_TRUE(all_close(slope.col(i), numerical_gradient(f, e.col(i)), 1e-8));
  }
}

TEST_P(ObservationNoiseCase, HasTheNumericalScores) {
  if (noise_.parameters().size() == 0) return;
  RandomInputs inputs(52);
  const Eigen::MatrixXd e = inputs.matrix(2, 5);
  Eigen::MatrixXd scores(noise_.parameters().size(), e.cols());
  noise_.scores(e, scores);
  for (int i = 0; i < e.cols(); ++i) {
    const auto f = [&](const Eigen::VectorXd& theta) {
      ObservationNoise moved = noise_;
      moved.set_parameters(theta);
      return value(moved, e.col(i));
    };
    EXPECT_TRUE(
        all_close(scores.col(i), numerical_gradient(f, noise_.parameters().values()), 1e-7));
  }
}

TEST_P(ObservationNoiseCase, ExpectsTheLogDensityAndItsDerivatives) {
  ResidualExpansion expansion;
  for (const double spread : {0.05, 0.5, 3.0}) {
    for (const double mean : {0.0, -0.6, 5.0}) {
      noise_.expected_log_density(Eigen::Vector2d(mean, -2.0 * mean),
                                  Eigen::Vector2d(spread, 2.0 * spread), expansion);
      for (int i = 0; i < 2; ++i) {
        const double m = i == 0 ? mean : -2.0 * mean, s = i == 0 ? spread : 2.0 * spread;
        // One dimension alone: the other residual is zero in both.
        const auto at = [&](double e) {
          Eigen::VectorXd residual = Eigen::VectorXd::Zero(2);
          residual[i] = e;
          return residual;
        };
        const double other =
            value(noise_, Eigen::VectorXd::Zero(2)) -
            value(ObservationNoise(
                      {.kind = GetParam().kind, .scales = kScales.segment(i, 1), .nu = 2.5}),
                  Eigen::VectorXd::Zero(1));
        Eigen::MatrixXd slope;
        const auto first = [&](double e) {
          noise_.slope(at(e), slope);
          return slope(i, 0);
        };
        const double kStep = 1e-4;
        const auto second = [&](double e) {
          return (first(e + kStep) - first(e - kStep)) / (2.0 * kStep);
        };
        const auto log_density = [&](double e) { return value(noise_, at(e)) - other; };
        // Quadrature of a Student-t: up to 1e-4, in units of the scale.
        EXPECT_NEAR(expansion.value[i], brute_force(m, s, log_density), 3e-4);
        EXPECT_NEAR(expansion.first[i], brute_force(m, s, first), 2e-4);
        EXPECT_NEAR(expansion.second[i], brute_force(m, s, second), 1e-3);
      }
    }
  }
}

TEST_P(ObservationNoiseCase, ExpandsTheExpectedScores) {
  const int count = noise_.parameters().size();
  if (count == 0) return;
  // One direction of z for each residual, and a part of the spread that z does not explain.
  const Eigen::Vector2d mean(0.5, -1.1), by_z(0.3, -0.7), by_e(0.2, 0.4);
  const Eigen::VectorXd spread = (by_z.array().square() + by_e.array().square()).sqrt();
  QuadraticFunctions out(2, count + 1);
  noise_.expected_scores(mean, spread, by_z.asDiagonal().toDenseMatrix(), 1, out);
  Eigen::MatrixXd scores(count, 1);
  for (int j = 0; j < count; ++j) {
    for (int i = 0; i < 2; ++i) {
      // The score as a function of residual i alone, less its value there at the mean.
      const auto h = [&](double e) {
        Eigen::VectorXd residual = mean;
        residual[i] = e;
        noise_.scores(residual, scores);
        return scores(j, 0);
      };
      const double s = spread[i];
      const auto times_z = [&](double e) { return h(e) * (e - mean[i]) / s; };
      const auto times_z2 = [&](double e) {
        const double z = (e - mean[i]) / s;
        return h(e) * (z * z - 1.0);
      };
      // Stein: E[h'] = E[h z] / s, E[h''] = E[h (z^2 - 1)] / s^2.
      EXPECT_NEAR(out.linear()(i, 1 + j), brute_force(mean[i], s, times_z) / s * by_z[i], 1e-4);
      EXPECT_NEAR(out.quadratic_of(1 + j)(i, i),
                  brute_force(mean[i], s, times_z2) / (s * s) * by_z[i] * by_z[i], 1e-3);
      EXPECT_EQ(out.quadratic_of(1 + j)(i, 1 - i), 0.0);
    }
    // The score is a sum over residuals: E = sum of both one-dimensional expectations less the
    // value at the means, counted twice.
    double constant = 0.0;
    for (int i = 0; i < 2; ++i) {
      // Under the tilted density: the Gaussian factor that stood for g is replaced by g.
      ResidualExpansion site;
      noise_.expected_log_density(mean, spread, site);
      const auto tilt = [&](double e) {
        Eigen::ArrayXd log_density = Eigen::ArrayXd::Constant(1, e);
        noise_.log_density(i, log_density);
        const double offset = e - mean[i];
        return std::exp(log_density[0] - site.first[i] * offset -
                        0.5 * site.second[i] * offset * offset);
      };
      const auto weighed = [&](double e) {
        Eigen::VectorXd residual = mean;
        residual[i] = e;
        noise_.scores(residual, scores);
        return tilt(e) * scores(j, 0);
      };
      constant += brute_force(mean[i], spread[i], weighed) / brute_force(mean[i], spread[i], tilt);
    }
    noise_.scores(mean, scores);
    EXPECT_NEAR(out.constant()[1 + j], constant - scores(j, 0), 1e-4);
  }
  EXPECT_EQ(out.constant()[0], 0.0);
}

INSTANTIATE_TEST_SUITE_P(, ObservationNoiseCase,
                         ::testing::Values(NoiseCase{NoiseKind::kGaussian, LearnedScale::kNo},
                                           NoiseCase{NoiseKind::kGaussian, LearnedScale::kShared},
                                           NoiseCase{NoiseKind::kGaussian, LearnedScale::kEach},
                                           NoiseCase{NoiseKind::kStudentT, LearnedScale::kNo},
                                           NoiseCase{NoiseKind::kStudentT, LearnedScale::kShared},
                                           NoiseCase{NoiseKind::kStudentT, LearnedScale::kEach}));

TEST(ObservationNoise, HasTheLogDensitiesOfTheirFormulas) {
  RandomInputs inputs(53);
  const Eigen::MatrixXd e = 3.0 * inputs.matrix(2, 6);
  Eigen::VectorXd gaussian, student, expected;
  ObservationNoise(spec_of(NoiseKind::kGaussian)).log_density(e, gaussian);
  log_density({Eigen::VectorXd::Zero(2), CovarianceFactor::from_standard_deviations(kScales)}, e,
              expected);
  EXPECT_TRUE(all_close(gaussian, expected, 1e-13));
  constexpr double kNu = 2.5;
  ObservationNoise(spec_of(NoiseKind::kStudentT)).log_density(e, student);
  for (int j = 0; j < e.cols(); ++j) {
    double sum = 0.0;
    for (int i = 0; i < 2; ++i) {
      const double u = e(i, j) / kScales[i];
      sum += std::log(std::tgamma(0.5 * (kNu + 1.0)) / std::tgamma(0.5 * kNu) /
                      std::sqrt(kNu * std::numbers::pi) / kScales[i] *
                      std::pow(1.0 + u * u / kNu, -0.5 * (kNu + 1.0)));
    }
    EXPECT_NEAR(student[j], sum, 1e-13);
  }
}

TEST(ObservationNoise, IsNearlyGaussianForManyDegreesOfFreedom) {
  ObservationNoise::Spec spec = spec_of(NoiseKind::kStudentT);
  spec.nu = 1e7;
  const Eigen::Vector2d e(0.3, -2.0);
  EXPECT_NEAR(value(ObservationNoise(spec), e),
              value(ObservationNoise(spec_of(NoiseKind::kGaussian)), e), 1e-6);
}

TEST(ObservationNoise, KeepsTheProportionsOfASharedScale) {
  ObservationNoise noise(spec_of(NoiseKind::kStudentT, LearnedScale::kShared));
  EXPECT_NEAR(noise.parameters().values()[0], kScales.norm() / std::sqrt(2.0), 1e-15);
  Eigen::Vector2d theta = noise.parameters().values();
  theta[0] *= 3.0;
  theta[1] = 7.0;
  noise.set_parameters(theta);
  EXPECT_TRUE(all_close(noise.scales(), 3.0 * kScales, 1e-14));
  EXPECT_EQ(noise.nu(), 7.0);
}

TEST(ObservationNoise, DrawsScaledNoise) {
  constexpr int kDraws = 200'000;
  for (const NoiseKind kind : {NoiseKind::kGaussian, NoiseKind::kStudentT}) {
    Eigen::MatrixXd e(2, kDraws);
    RandomStream random(54);
    ObservationNoise::Spec spec = spec_of(kind);
    spec.nu = 2.0;
    ObservationNoise(spec).sample(random, e);
    for (int i = 0; i < 2; ++i) {
      // The share below one scale: Phi(1) or 1/2 + 1 / (2 sqrt(3)); five binomial errors.
      const double p = kind == NoiseKind::kGaussian ? 0.5 * std::erfc(-std::sqrt(0.5))
                                                    : 0.5 + 0.5 / std::sqrt(3.0);
      const double share = static_cast<double>((e.row(i).array() < kScales[i]).count()) / kDraws;
      EXPECT_NEAR(share, p, 5.0 * std::sqrt(p * (1.0 - p) / kDraws));
    }
  }
}

TEST(ObservationNoise, StandsForAGaussianWithTheSameInformation) {
  const ObservationNoise noise(spec_of(NoiseKind::kStudentT));
  // E[slope^2] under the noise itself, by integration over the residual of dimension 0.
  double information = 0.0;
  constexpr double kStep = 1e-3;
  const ObservationNoise one({.kind = NoiseKind::kStudentT, .scales = kScales.head(1), .nu = 2.5});
  Eigen::MatrixXd slope;
  for (double e = -100.0; e < 100.0; e += kStep) {
    const Eigen::VectorXd residual = Eigen::VectorXd::Constant(1, e);
    one.slope(residual, slope);
    information += kStep * std::exp(value(one, residual)) * slope(0, 0) * slope(0, 0);
  }
  EXPECT_NEAR(std::pow(noise.gaussian_deviations()[0], -2), information, 1e-6);
}

TEST(ObservationNoise, NamesWhatIsWrong) {
  const auto message = [](const ObservationNoise::Spec& spec) {
    return test::message_of([&] { ObservationNoise{spec}; });
  };
  ObservationNoise::Spec spec = spec_of(NoiseKind::kStudentT);
  spec.nu = 0.0;
  EXPECT_TRUE(test::contains(message(spec), "nu is 0")) << message(spec);
  spec.nu = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(test::contains(message(spec), "nu is nan")) << message(spec);
  spec = spec_of(NoiseKind::kGaussian);
  spec.learn_nu = true;
  EXPECT_TRUE(test::contains(message(spec), "nu cannot be learned")) << message(spec);
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    spec = spec_of(NoiseKind::kGaussian);
    spec.scales[1] = bad;
    EXPECT_TRUE(test::contains(message(spec), "scale 1 is")) << message(spec);
  }
  spec.scales.resize(0);
  EXPECT_TRUE(test::contains(message(spec), "no scales")) << message(spec);
  spec = spec_of(NoiseKind::kStudentT, LearnedScale::kEach);
  spec.nu = 0.1;
  EXPECT_TRUE(test::contains(message(spec), "nu is 0.1")) << message(spec);
}

}  // namespace
}  // namespace ovf
