// U (Prop. 4) against brute force on short sequences: with it the gradients of successive steps add
// up to that of the joint ELBO, without it they do not.
#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

#include "filter/linear_problem.hpp"
#include "filter/shared_kernel_sequence.hpp"
#include "ovf/filter/elbo_gradient.hpp"
#include "ovf/filter/kernel_score.hpp"
#include "ovf/model/chaotic_rnn_model.hpp"

namespace ovf {
namespace {

using test::StepViews;

constexpr int kDim = 2;
constexpr int kSteps = 5;
// Draws of each expectation. They leave errors of one to two percent of a gradient.
constexpr int kDraws = 40000;

StateSpaceModel chaotic_rnn() {
  RandomStream random(61);
  ChaoticRnnSpec spec;
  spec.process_noise = 0.05;
  spec.observation_scale = 0.2;
  spec.W = ChaoticRnn::random(kDim, random).weights();
  return make_chaotic_rnn(spec);
}

Eigen::MatrixXd observe(const StateSpaceModel& model) {
  RandomStream random(62);
  return simulate(model, kSteps, random).observations;
}

RegressionConfig lines(int points) {
  RegressionConfig config = AmortisedConfig::lines();
  config.points = points;
  return config;
}

RegressionConfig squares(int points) {
  RegressionConfig config = lines(points);
  config.regressor.hermite.degree = 2;
  return config;
}

RegressionConfig kernel_ridge(int points) {
  RegressionConfig config;
  config.points = points;
  config.standardise = true;
  config.tune_steps = 0;
  config.regressor.kernel_ridge.ridge = 1e-3;
  config.regressor.kernel_ridge.bandwidth = 3.0;
  return config;
}

// Relative errors of the estimates of grad (L_t - L_{t-1}), over all steps of which U has a part.
struct Errors {
  double with_U = 0.0;
  double without_U = 0.0;
};

template <typename Advance>
Errors measure(const StateSpaceModel& model, const std::vector<StepRecord>& records,
               const RegressionConfig& config, ValueRecursion& value, const Advance& advance) {
  const StepViews steps(model, records);
  KernelScore score(config, 7);
  ElboGradient elbo(true);
  RandomStream random(64);
  const Eigen::Index count = records[0].kernel->parameter_count();
  Eigen::VectorXd last = Eigen::VectorXd::Zero(count);
  Errors errors;
  double scale = 0.0;
  for (std::size_t t = 0; t < records.size(); ++t) {
    advance(steps, t);
    const StepView view = steps.at(t);
    if (t > 0) {
      score.begin(view.record);
      Eigen::MatrixXd noise(kDim, kDraws), kernel_noise(kDim, kDraws);
      random.fill_normal_antithetic(noise);
      random.fill_normal_antithetic(kernel_noise);
      Eigen::VectorXd estimate(count);
      elbo.estimate(model, value, view.record, noise, kernel_noise, estimate);
      const Eigen::VectorXd now =
          test::brute_force_gradient(model, std::span(records).first(t + 1), kDraws, random);
      const Eigen::VectorXd expected = now - last;
      last = now;
      if (t > 1) {
        scale += expected.squaredNorm();
        errors.without_U += (estimate - expected).squaredNorm();
      }
      score.add_increment(elbo.previous(), estimate);
      if (t > 1) errors.with_U += (estimate - expected).squaredNorm();
    }
    score.update(view, value);
  }
  return {std::sqrt(errors.with_U / scale), std::sqrt(errors.without_U / scale)};
}

// With T exact: what is left is U's.
Errors measure(const StateSpaceModel& model, const std::vector<StepRecord>& records,
               const RegressionConfig& config) {
  test::SampledValue value(kSteps, 65);
  return measure(model, records, config, value,
                 [&](const StepViews& steps, std::size_t t) { value.set_past(steps.before(t)); });
}

class ChaoticSequence : public testing::Test {
 protected:
  void SetUp() override {
    records_ = test::shared_kernel_sequence(chaotic_rnn(), observe(model_), {6}, 76);
  }

  StateSpaceModel model_ = chaotic_rnn();
  std::vector<StepRecord> records_;
};

// Measured: 0.074 with U, 0.33 without.
TEST_F(ChaoticSequence, NeedsUAndLinesServe) {
  const Errors errors = measure(model_, records_, lines(10000));
  EXPECT_LT(errors.with_U, 0.1);
  EXPECT_GT(errors.without_U, 0.3);
}

// Measured: 0.030.
TEST_F(ChaoticSequence, AgreesMoreCloselyBySquares) {
  EXPECT_LT(measure(model_, records_, squares(20000)).with_U, 0.05);
}

// Fewer points, and each of them is noisy: measured 0.10.
TEST_F(ChaoticSequence, IsServedByKernelRidge) {
  EXPECT_LT(measure(model_, records_, kernel_ridge(600)).with_U, 0.15);
}

// As few points as a filter takes by default. Measured: 0.13, and 0.33 without U.
TEST_F(ChaoticSequence, GainsByTheDefaultLines) {
  const Errors errors = measure(model_, records_, AmortisedConfig::lines());
  EXPECT_LT(errors.with_U, 0.6 * errors.without_U);
}

// As in a filter: T fitted to samples at every step. Measured: 0.025.
TEST_F(ChaoticSequence, AgreesForARegressedT) {
  RegressedValue value(squares(10000), true, 1, 66);
  const auto advance = [&](const StepViews& steps, std::size_t t) {
    if (t == 0) return;
    value.update(steps.at(t - 1));
    value.commit();
  };
  EXPECT_LT(measure(model_, records_, squares(20000), value, advance).with_U, 0.05);
}

// Without a hidden layer the network is affine: with a linear-Gaussian model V is quadratic for any
// weights, and so is U. Nothing but the noise of the draws is left. Measured: 0.020, and 0.51
// without U.
TEST(LinearSequence, IsExactBySquares) {
  const auto spec = test::random_problem(kDim, true, 74);
  const auto model = make_linear_gaussian(spec);
  const auto records = test::shared_kernel_sequence(make_linear_gaussian(spec),
                                                    test::observe(spec, kSteps, 74), {}, 75);
  const Errors errors = measure(model, records, squares(30000));
  EXPECT_LT(errors.with_U, 0.03);
  EXPECT_GT(errors.without_U, 0.4);
}

}  // namespace
}  // namespace ovf
