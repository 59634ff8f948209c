// Noise levels and tails that are learned: found from any start, with standard deviations that
// hold.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/math/student_t.hpp"
#include "ovf/model/function_mean.hpp"
#include "ovf/model/linear_gaussian.hpp"
#include "ovf/model/linear_mean.hpp"
#include "ovf/model/nonlinear_gaussian.hpp"
#include "ovf/model/nonlinear_transition.hpp"
#include "ovf/model/sensor.hpp"

namespace ovf {
namespace {

constexpr int kSteps = 2000;

// The standard deviation of the observations, which is learned, is `factor` times the truth.
using Make = std::function<StateSpaceModel(double factor)>;

StateSpaceModel linear(double factor) {
  LinearGaussianSpec spec;
  spec.prior = standard_gaussian(2, CovarianceForm::kFull);
  spec.F = Eigen::Matrix2d{{0.9, 0.1}, {-0.1, 0.9}};
  spec.G = Eigen::Matrix2d::Identity();
  spec.U = 0.04 * Eigen::Matrix2d::Identity();
  spec.V = 0.09 * factor * factor * Eigen::Matrix2d::Identity();
  spec.learn_V = Learned::kDiagonal;
  return make_linear_gaussian(spec);
}

StateSpaceModel pendulum(double factor) {
  constexpr double kDt = 0.05;
  NonlinearGaussianSpec spec;
  spec.prior = {Eigen::Vector2d(1.0, 0.0),
                CovarianceFactor::from_standard_deviations(Eigen::Vector2d(0.3, 0.3))};
  spec.f = std::make_unique<FunctionMean>(FunctionMean::Spec{
      .input_dim = 2,
      .output_dim = 2,
      .value = [](const Eigen::VectorXd& x, const Eigen::VectorXd&, const StepInput&) {
        const double rate = x[1] - kDt * (9.81 * std::sin(x[0]) + 0.1 * x[1]);
        return Eigen::VectorXd(Eigen::Vector2d(x[0] + kDt * rate, rate));
      }});
  spec.g = std::make_unique<FunctionMean>(FunctionMean::Spec{
      .input_dim = 2,
      .output_dim = 1,
      .value = [](const Eigen::VectorXd& x, const Eigen::VectorXd&, const StepInput&) {
        return Eigen::VectorXd(Eigen::VectorXd::Constant(1, std::sin(x[0])));
      }});
  spec.U = Eigen::Vector2d(1e-6, 0.01).asDiagonal();
  spec.V = Eigen::VectorXd::Constant(1, std::pow(0.05 * factor, 2));
  spec.learn_V = LearnedScale::kEach;
  return make_nonlinear_gaussian(std::move(spec));
}

// A random walk seen through a sensor with heavy tails.
StateSpaceModel heavy(double scale, double nu) {
  Sensor::Spec sensor{.name = "range",
                      .mean = std::make_unique<LinearMean>(LinearMean::identity(1)),
                      .noise = {.scales = Eigen::VectorXd::Constant(1, scale),
                                .learn_scales = true,
                                .nu = nu,
                                .learn_nu = true},
                      .angles = {}};
  return {
      standard_gaussian(1, CovarianceForm::kFull),
      std::make_unique<NonlinearTransition>(std::make_unique<LinearMean>(LinearMean::identity(1)),
                                            Eigen::MatrixXd::Constant(1, 1, 4e-6)),
      std::make_unique<Sensor>(std::move(sensor))};
}

struct Learned {
  Eigen::VectorXd error;      // of the logarithms
  Eigen::VectorXd deviation;  // as stated
};

Learned learn(const Make& make, double factor, std::uint64_t seed) {
  RandomStream random(seed, 31);
  const StateSpaceModel truth = make(1.0);
  const SimulatedSequence data = simulate(truth, kSteps, random);
  OnlineVariationalFilter filter(make(factor), OnlineVariationalFilterConfig::fast());
  for (int t = 0; t < kSteps; ++t) filter.step(data.observations.col(t));
  const Eigen::VectorXd deviations = filter.learner().standard_deviations();
  return {(filter.parameters().array() / truth.parameters().values().array()).log(),
          deviations.cwiseQuotient(filter.parameters())};
}

struct NoiseCase {
  const char* name;
  Make make;
};

class LearnedNoise : public ::testing::TestWithParam<NoiseCase> {};

TEST_P(LearnedNoise, IsFoundFromAHundredthAndFromAHundredTimes) {
  for (const double factor : {0.01, 100.0}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const Learned learned = learn(GetParam().make, factor, seed);
      for (Eigen::Index i = 0; i < learned.error.size(); ++i) {
        EXPECT_LT(std::abs(learned.error[i]), 4.0 * learned.deviation[i]) << factor << " " << seed;
        EXPECT_LT(learned.deviation[i], 0.08) << factor << " " << seed;
      }
    }
  }
}

// 90 % intervals: over 40 runs and two parameters 0.82 to 0.98 is within two standard errors.
TEST_P(LearnedNoise, LiesWithinItsStatedIntervals) {
  int inside = 0;
  int total = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Learned learned = learn(GetParam().make, seed % 2 == 0 ? 1.0 : 3.0, seed);
    for (Eigen::Index i = 0; i < learned.error.size(); ++i, ++total) {
      if (std::abs(learned.error[i]) < 1.645 * learned.deviation[i]) ++inside;
    }
  }
  EXPECT_GE(inside, static_cast<int>(0.78 * total));
  EXPECT_LE(inside, total - total / 50);
}

INSTANTIATE_TEST_SUITE_P(Models, LearnedNoise,
                         ::testing::Values(NoiseCase{"linear", linear},
                                           NoiseCase{"pendulum", pendulum}),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

// Log-likelihood per residual.
double log_likelihood(const Eigen::VectorXd& residuals, double scale, double nu) {
  const double width = scale * std::sqrt(nu);
  return student_t_log_constant(nu) - std::log(scale) -
         0.5 * (nu + 1.0) * (residuals.array() / width).square().log1p().mean();
}

// The largest log-likelihood over a fine grid, and where it is.
double batch(const Eigen::VectorXd& residuals, double& nu) {
  double best = -1e300;
  for (double log_nu = std::log(1.0); log_nu < std::log(12.0); log_nu += 0.02) {
    for (double log_scale = std::log(0.05); log_scale < std::log(0.2); log_scale += 0.02) {
      const double value = log_likelihood(residuals, std::exp(log_scale), std::exp(log_nu));
      if (value <= best) continue;
      best = value;
      nu = std::exp(log_nu);
    }
  }
  return best;
}

struct TailsCase {
  double scale;  // times the truth
  double nu;
  double outliers;
};

class LearnedTails : public ::testing::TestWithParam<TailsCase> {};

TEST_P(LearnedTails, ReachTheBatchLikelihood) {
  constexpr double kScale = 0.1;
  constexpr double kNu = 4.0;
  constexpr int kRanges = 2700;
  const TailsCase& c = GetParam();
  RandomStream random(5, 32);
  OnlineVariationalFilter filter(heavy(c.scale * kScale, c.nu),
                                 OnlineVariationalFilterConfig::fast());
  Eigen::VectorXd residuals(kRanges);
  double x = 0.0;
  for (int t = 0; t < kRanges; ++t) {
    x += 0.002 * random.normal();
    residuals[t] = kScale * draw_student_t(kNu, random);
    if (random.uniform() < c.outliers) residuals[t] -= 3.0 * std::log(1.0 - random.uniform());
    filter.step(Eigen::VectorXd::Constant(1, x + residuals[t]));
  }
  double nu = 0.0;
  const double best = batch(residuals, nu);
  const Eigen::VectorXd& learned = filter.parameters();
  EXPECT_GT(log_likelihood(residuals, learned[0], learned[1]), best - 0.01);
  EXPECT_NEAR(learned[1] / nu, 1.0, 0.12);  // a tenth, and the grid's step
}

INSTANTIATE_TEST_SUITE_P(Starts, LearnedTails,
                         ::testing::Values(TailsCase{5.0, 4.0, 0.0}, TailsCase{5.0, 4.0, 0.03},
                                           TailsCase{1.0, 30.0, 0.0}, TailsCase{1.0, 30.0, 0.03},
                                           TailsCase{20.0, 2.0, 0.0}, TailsCase{20.0, 2.0, 0.03}));

}  // namespace
}  // namespace ovf
