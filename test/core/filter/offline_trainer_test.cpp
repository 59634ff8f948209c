#include "ovf/filter/offline_trainer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "filter/linear_problem.hpp"
#include "math/random_inputs.hpp"
#include "ovf/filter/kalman_filter.hpp"
#include "ovf/math/gradient_check.hpp"
#include "ovf/model/chaotic_rnn_model.hpp"
#include "ovf/posterior/affine_kernel.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::contains;
using test::message_of;
using test::observe;
using test::random_problem;
using test::RandomInputs;

std::vector<Eigen::MatrixXd> draw_noise(int dim, int samples, std::size_t steps,
                                        RandomInputs& inputs) {
  std::vector<Eigen::MatrixXd> noise;
  for (std::size_t k = 0; k < steps; ++k) noise.push_back(inputs.matrix(dim, samples));
  return noise;
}

StateSpaceModel chaotic_rnn(int dim) {
  RandomStream random(61);
  ChaoticRnnSpec spec;
  spec.W = ChaoticRnn::random(dim, random).W();
  return make_chaotic_rnn(spec);
}

Eigen::MatrixXd observe(const StateSpaceModel& model, int steps) {
  RandomStream random(62);
  return simulate(model, steps, random).observations;
}

// Factors of each step drawn at random, so that no term of a gradient vanishes.
std::vector<StepRecord> random_records(const StateSpaceModel& model,
                                       const Eigen::MatrixXd& observations, CovarianceForm form,
                                       RandomInputs& inputs) {
  const int d = model.state_dim();
  AffineKernel kernel(d, form, form);
  auto records = make_records(model, observations, FilterMarginal(inputs.gaussian(d, form)), kernel);
  for (StepRecord& record : records) {
    kernel.assign(inputs.conditional(d, d, form));
    kernel.set_centre(inputs.vector(d));
    record.kernel = kernel.clone();
  }
  return records;
}

// The records of the exact joint posterior of a linear-Gaussian model.
std::vector<StepRecord> exact_records(const StateSpaceModel& model,
                                      const Eigen::MatrixXd& observations,
                                      const SmoothedSequence& exact) {
  const int d = model.state_dim();
  AffineKernel kernel(d, CovarianceForm::kFull, CovarianceForm::kFull);
  auto records = make_records(model, observations, FilterMarginal(exact.filtered.back()), kernel);
  for (std::size_t k = 1; k < records.size(); ++k) {
    kernel.assign(exact.kernels[k - 1]);
    records[k].kernel = kernel.clone();
  }
  return records;
}

class OfflineElbo : public testing::TestWithParam<CovarianceForm> {};
INSTANTIATE_TEST_SUITE_P(Forms, OfflineElbo,
                         testing::Values(CovarianceForm::kDiagonal, CovarianceForm::kFull),
                         [](const auto& info) { return test::form_name(info.param); });

TEST_P(OfflineElbo, GradientIsTheDerivativeOfTheEstimate) {
  const auto model = chaotic_rnn(3);
  RandomInputs inputs(63);
  auto records = random_records(model, observe(model, 4), GetParam(), inputs);
  records[2].observed = false;
  const auto noise = draw_noise(3, 5, records.size(), inputs);
  OfflineTrainer trainer({});
  for (const std::size_t terms : {1U, 2U, 4U}) {
    const std::span<StepRecord> part = std::span(records).first(terms);
    const Eigen::VectorXd phi = read_chain_parameters(part);
    Eigen::VectorXd gradient;
    trainer.elbo(model, part, noise, gradient);
    Eigen::VectorXd ignored;
    const auto estimate = [&](const Eigen::VectorXd& moved) {
      write_chain_parameters(moved, part);
      return trainer.elbo(model, part, noise, ignored);
    };
    EXPECT_TRUE(all_close(gradient, numerical_gradient(estimate, phi), 1e-5)) << terms << " terms";
    write_chain_parameters(phi, part);
  }
}

// Both are unbiased for the same gradient: over many draws they agree within Monte-Carlo error,
// measured from the batches (five standard errors).
TEST_P(OfflineElbo, PathDerivativeHasTheSameExpectation) {
  const auto model = make_linear_gaussian(random_problem(2, true, 64));
  RandomInputs inputs(64);
  const auto records =
      random_records(model, observe(random_problem(2, true, 64), 3, 64), GetParam(), inputs);
  OfflineTrainerConfig config;
  OfflineTrainer plain(config);
  config.path_derivative = true;
  OfflineTrainer path(config);
  const int batches = 100;
  Eigen::MatrixXd differences(read_chain_parameters(records).size(), batches);
  Eigen::VectorXd one;
  Eigen::VectorXd other;
  for (int b = 0; b < batches; ++b) {
    const auto noise = draw_noise(2, 200, records.size(), inputs);
    plain.elbo(model, records, noise, one);
    path.elbo(model, records, noise, other);
    differences.col(b) = one - other;
  }
  const Eigen::ArrayXd mean = differences.rowwise().mean();
  const Eigen::ArrayXd deviation =
      (differences.colwise() - mean.matrix()).array().square().rowwise().mean().sqrt();
  EXPECT_GT(deviation.maxCoeff(), 0.0);
  EXPECT_LT((mean.abs() / (deviation / std::sqrt(batches) + 1e-9)).maxCoeff(), 5.0);
}

TEST(OfflineTrainer, PathDerivativeVanishesAtTheExactPosterior) {
  const auto spec = random_problem(3, true, 65);
  const auto model = make_linear_gaussian(spec);
  const auto observations = observe(spec, 5, 65);
  const auto exact = rts_smoother(make_linear_gaussian(spec), observations);
  const auto records = exact_records(model, observations, exact);
  RandomInputs inputs(65);
  const auto noise = draw_noise(3, 4, records.size(), inputs);
  OfflineTrainerConfig config;
  Eigen::VectorXd gradient;
  OfflineTrainer(config).elbo(model, records, noise, gradient);
  EXPECT_GT(gradient.cwiseAbs().maxCoeff(), 1.0);
  config.path_derivative = true;
  OfflineTrainer(config).elbo(model, records, noise, gradient);
  EXPECT_LT(gradient.cwiseAbs().maxCoeff(), 1e-9);
}

TEST(OfflineTrainer, ReachesTheExactSmoother) {
  const int d = 2;
  const auto spec = random_problem(d, true, 66);
  const auto model = make_linear_gaussian(spec);
  const auto observations = observe(spec, 8, 66);
  const auto exact = rts_smoother(make_linear_gaussian(spec), observations);
  const FilterMarginal marginal(standard_gaussian(d, CovarianceForm::kFull));
  const AffineKernel kernel(d, CovarianceForm::kFull, CovarianceForm::kFull);
  OfflineTrainerConfig config;
  config.path_derivative = config.antithetic = true;
  config.warm_iterations = 100;
  const auto result =
      OfflineTrainer(config).train(model, make_records(model, observations, marginal, kernel));
  ASSERT_EQ(result.elbo.size(), config.iterations);
  RandomStream random(67);
  const auto bound = result.chain.bound(model, 20000, random);
  printf("first %g last %g bound %g +- %g exact %g\n", result.elbo[0], result.elbo.tail(1)[0], bound.elbo, bound.standard_error, exact.log_evidence);
  const auto smoothed = result.chain.smoothed(model, 20000, random);
  for (int t = 0; t < 8; ++t) {
    const Gaussian& s = exact.smoothed[static_cast<std::size_t>(t)];
    printf("%d mean err %g dev ratio %g (sd %g)\n", t, (smoothed.mean.col(t) - s.mean).norm(), (smoothed.deviation.col(t).array() / s.factor.standard_deviations().array()-1).abs().maxCoeff(), s.factor.standard_deviations()[0]);
  }
}

}  // namespace
}  // namespace ovf
