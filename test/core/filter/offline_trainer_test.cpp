#include "ovf/filter/offline_trainer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "filter/linear_problem.hpp"
#include "math/random_inputs.hpp"
#include "ovf/filter/kalman_filter.hpp"
#include "ovf/filter/online_variational_filter.hpp"
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
  spec.W = ChaoticRnn::random(dim, random).weights();
  return make_chaotic_rnn(spec);
}

// What a filter on chaotic_rnn leaves behind, theta fixed.
std::vector<StepRecord> online_records(const Eigen::MatrixXd& observations,
                                       OnlineVariationalFilterConfig config) {
  config.learning.rule = LearningRule::kNone;
  OnlineVariationalFilter filter(chaotic_rnn(static_cast<int>(observations.rows())), config);
  std::vector<StepRecord> records;
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    EXPECT_TRUE(filter.step(observations.col(t)).ok());
    records.push_back(filter.record().copy());
  }
  return records;
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
  auto records =
      make_records(model, observations, FilterMarginal(inputs.gaussian(d, form)), kernel);
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

// Kernels that know nothing of x_t yet, everything at zero with this deviation.
std::vector<StepRecord> unfitted_records(const StateSpaceModel& model,
                                         const Eigen::MatrixXd& observations, CovarianceForm form,
                                         double deviation) {
  const int d = model.state_dim();
  const CovarianceFactor factor(d, form, deviation);
  AffineKernel kernel(d, CovarianceForm::kFull, form);
  kernel.gaussian().noise = factor;
  const FilterMarginal marginal(Gaussian{Eigen::VectorXd::Zero(d), factor});
  return make_records(model, observations, marginal, kernel);
}

std::vector<StepRecord> copy(const std::vector<StepRecord>& records) {
  std::vector<StepRecord> copies;
  for (const StepRecord& record : records) copies.push_back(record.copy());
  return copies;
}

class OfflineElbo : public testing::TestWithParam<CovarianceForm> {};
INSTANTIATE_TEST_SUITE_P(Forms, OfflineElbo,
                         testing::Values(CovarianceForm::kDiagonal, CovarianceForm::kFull),
                         [](const auto& parameter) { return test::form_name(parameter.param); });

TEST_P(OfflineElbo, GradientIsTheDerivativeOfTheEstimate) {
  const auto model = chaotic_rnn(3);
  RandomInputs inputs(63);
  auto records = random_records(model, observe(model, 4), GetParam(), inputs);
  records[2].observed = false;
  records[2].y.fill(std::numeric_limits<double>::quiet_NaN());
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

// From far away, in the family that contains the truth. With path derivatives the last iterates
// have no noise: measured errors are below 1e-9 nats in the ELBO and Monte-Carlo error in the
// moments.
TEST(OfflineTrainer, ReachesTheExactSmoother) {
  const int steps = 8;
  const auto spec = random_problem(2, true, 66);
  const auto model = make_linear_gaussian(spec);
  const auto observations = observe(spec, steps, 66);
  const auto exact = rts_smoother(make_linear_gaussian(spec), observations);
  OfflineTrainerConfig config;
  config.iterations = 10000;
  config.learning_rate = 0.02;
  config.decay = 0.9995;
  config.warm_iterations = 100;
  config.path_derivative = config.antithetic = true;
  const auto result = OfflineTrainer(config).train(
      model, unfitted_records(model, observations, CovarianceForm::kFull, 1.0));
  ASSERT_EQ(result.elbo.size(), config.iterations);
  EXPECT_LT(result.elbo[0], exact.log_evidence - 10.0);
  EXPECT_NEAR(result.elbo.tail(1)[0], exact.log_evidence, 1e-6);

  const int samples = 100000;
  RandomStream random(67);
  EXPECT_NEAR(result.chain.bound(model, samples, random).elbo, exact.log_evidence, 1e-6);
  const auto smoothed = result.chain.smoothed(model, samples, random);
  const double error = 5.0 / std::sqrt(samples);  // five standard errors of a mean
  for (int t = 0; t < steps; ++t) {
    const Gaussian& marginal = exact.smoothed[static_cast<std::size_t>(t)];
    const Eigen::ArrayXd deviation = marginal.factor.standard_deviations();
    const Eigen::ArrayXd shift = (smoothed.mean.col(t) - marginal.mean).array() / deviation;
    EXPECT_LT(shift.abs().maxCoeff(), error) << "step " << t;
    const Eigen::ArrayXd ratio = smoothed.deviation.col(t).array() / deviation;
    EXPECT_LT((ratio - 1.0).abs().maxCoeff(), error) << "step " << t;
  }
}

TEST(OfflineTrainer, WarmStartGoesThroughEveryShorterObjective) {
  const auto model = chaotic_rnn(3);
  const auto observations = observe(model, 5);
  OfflineTrainerConfig config;
  config.iterations = 3;
  const auto start = [&] {
    return unfitted_records(model, observations, CovarianceForm::kDiagonal, 0.1);
  };
  const double cold = OfflineTrainer(config).train(model, start()).elbo[0];

  config.warm_iterations = 50;
  OfflineTrainer trainer(config);
  std::vector<int> iterations(6, 0);
  Eigen::VectorXd last(config.iterations);
  trainer.observe([&](int terms, int iteration, double elbo) {
    ++iterations[static_cast<std::size_t>(terms)];
    if (terms == 5 && iteration <= config.iterations) last[iteration - 1] = elbo;
  });
  const auto result = trainer.train(model, start());
  EXPECT_EQ(iterations, (std::vector<int>{0, 50, 50, 50, 50, 53}));
  EXPECT_EQ(last, result.elbo);
  EXPECT_GT(result.elbo[0], cold + 1.0);
}

// Figure 2b: kernels that may still move when later observations are in gain a little, here about
// 0.05 nats, measured on the same draws.
TEST(OfflineTrainer, IsAtLeastAsGoodAsTheOnlineFilter) {
  const auto model = chaotic_rnn(3);
  const auto observations = observe(model, 10);
  const auto bound = [&](const PosteriorChain& chain) {
    RandomStream random(68);
    return chain.bound(model, 20000, random);
  };
  for (auto online :
       {OnlineVariationalFilterConfig::fast(), OnlineVariationalFilterConfig::paper()}) {
    const auto records = online_records(observations, online);
    PosteriorChain chain;
    for (const StepRecord& record : records) chain.append(record);
    const double before = bound(chain).elbo;

    OfflineTrainerConfig config;
    config.path_derivative = config.antithetic = true;
    const auto continued = bound(OfflineTrainer(config).train(model, copy(records)).chain);
    EXPECT_GT(continued.elbo, before + 0.02);
    EXPECT_LT(continued.elbo, continued.importance_weighted);

    // It does not depend on where it starts.
    config.warm_iterations = 50;
    auto unfitted = unfitted_records(model, observations, online.marginal, 0.1);
    const auto alone = bound(OfflineTrainer(config).train(model, std::move(unfitted)).chain);
    EXPECT_NEAR(alone.elbo, continued.elbo, 0.01);
  }
}

TEST(OfflineTrainer, LeavesOutTiltedFactors) {
  const auto model = chaotic_rnn(3);
  auto records = online_records(observe(model, 10), OnlineVariationalFilterConfig::accurate());
  ASSERT_TRUE(records.back().tilted_marginal && records.back().tilted_kernel);
  OfflineTrainerConfig config;
  config.iterations = 1;
  config.samples = 20000;
  config.learning_rate = 1e-9;
  const auto result = OfflineTrainer(config).train(model, std::move(records));
  RandomStream random(69);
  const auto bound = result.chain.bound(model, config.samples, random);
  EXPECT_NEAR(bound.elbo, result.elbo[0], 5.0 * std::sqrt(2.0) * bound.standard_error);
}

TEST(OfflineTrainer, SameSeedGivesBitIdenticalResults) {
  const auto model = chaotic_rnn(2);
  OfflineTrainerConfig config;
  config.iterations = 20;
  config.warm_iterations = 2;
  const auto trace = [&] {
    return OfflineTrainer(config)
        .train(model, unfitted_records(model, observe(model, 4), CovarianceForm::kFull, 0.1))
        .elbo;
  };
  const Eigen::VectorXd first = trace();
  EXPECT_EQ(first, trace());
  config.seed += 1;
  EXPECT_NE(first, trace());
}

TEST(OfflineTrainer, RefusesRecordsThatTheModelCannotUse) {
  const auto model = chaotic_rnn(3);
  const Eigen::MatrixXd observations = observe(model, 4);
  const auto refusal = [&](const Eigen::MatrixXd& y, const auto& change) {
    auto records = unfitted_records(model, y, CovarianceForm::kFull, 0.1);
    change(records);
    return message_of([&] { OfflineTrainer({}).train(model, std::move(records)); });
  };
  using Records = std::vector<StepRecord>;
  const auto nothing = [](Records&) {};
  EXPECT_EQ(refusal(Eigen::MatrixXd(3, 0), nothing),
            "the sequence is empty; expected observations");
  Eigen::MatrixXd hole = observations;
  hole(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(hole, nothing), "step 3: observation[1] is nan; expected a finite number");
  EXPECT_EQ(refusal(observations.topRows(2), nothing),
            "step 1: observation has 2 numbers; the model expects 3");
  EXPECT_TRUE(contains(refusal(observations,
                               [](Records& records) {
                                 records[1].observed = false;
                                 records[1].input.dt = std::numeric_limits<double>::infinity();
                               }),
                       "step 2: dt (inf)"));
  EXPECT_EQ(refusal(observations, [](Records& records) { std::swap(records[0], records[1]); }),
            "step 1: is not a first step");
  EXPECT_EQ(refusal(observations, [](Records& records) { records[2].first = true; }),
            "step 3: is a first step");
  EXPECT_EQ(refusal(observations,
                    [](Records& records) {
                      records[3].kernel = std::make_unique<AffineKernel>(2, CovarianceForm::kFull,
                                                                         CovarianceForm::kFull);
                    }),
            "step 4: has a factor of another dimension than the model's 3");
}

TEST(OfflineTrainer, NamesTheKeyTheValueAndWhatWasExpected) {
  const auto refusal = [](const auto& change) {
    OfflineTrainerConfig config;
    change(config);
    return message_of([&] { OfflineTrainer{config}; });
  };
  using Config = OfflineTrainerConfig;
  EXPECT_EQ(refusal([](Config& c) { c.iterations = 0; }), "iterations is 0; expected at least 1");
  EXPECT_EQ(refusal([](Config& c) { c.samples = 0; }),
            "samples is 0; expected at least 1 (an empty batch has no gradient)");
  EXPECT_EQ(refusal([](Config& c) { c.learning_rate = std::nan(""); }),
            "learning_rate is nan; expected a positive rate");
  EXPECT_EQ(refusal([](Config& c) { c.decay = 1.5; }), "decay is 1.5; expected a factor in (0, 1]");
  EXPECT_EQ(refusal([](Config& c) { c.warm_iterations = -1; }),
            "warm_iterations is -1; expected 0 or more");
}

TEST(OfflineTrainer, SaysWhereItDiverged) {
  const auto model = chaotic_rnn(2);
  OfflineTrainerConfig config;
  config.learning_rate = 1e4;
  const auto text = message_of<std::runtime_error>([&] {
    OfflineTrainer(config).train(
        model, unfitted_records(model, observe(model, 3), CovarianceForm::kFull, 0.1));
  });
  EXPECT_TRUE(contains(text, "the ELBO of 3 observations is not finite at iteration ")) << text;
}

}  // namespace
}  // namespace ovf
