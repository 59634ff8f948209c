// S of few coefficients against the closed form, where that is exact, and against draws.
#include "ovf/filter/projected_score.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "filter/linear_problem.hpp"
#include "filter/neural_problem.hpp"
#include "math/random_inputs.hpp"
#include "ovf/filter/backward_samples.hpp"

namespace ovf {
namespace {

using Config = OnlineVariationalFilterConfig;

// Scores at every step, but no steps of theta.
Config scoring(RecursionMethod score, bool squares = false) {
  Config config = Config::neural();
  config.score = score;
  config.score_squares = squares;
  config.learning.burn_in = 1'000'000;
  return config;
}

// Of each step, a column.
Eigen::MatrixXd increments(OnlineVariationalFilter filter, const Eigen::MatrixXd& observations) {
  Eigen::MatrixXd columns(filter.parameters().size(), observations.cols());
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    EXPECT_TRUE(filter.step(observations.col(t)).ok());
    columns.col(t) = filter.score_increment().gradient;
  }
  return columns;
}

Eigen::MatrixXd increments(const LinearGaussianSpec& spec, const Config& config) {
  return increments(OnlineVariationalFilter(make_linear_gaussian(spec), config),
                    test::observe(spec, 12, 3));
}

LinearGaussianSpec learning_all(int dim, bool full) {
  LinearGaussianSpec spec = test::random_problem(dim, full, 3);
  spec.learn_F = spec.learn_G = Learned::kDiagonal;
  spec.learn_U = spec.learn_V = full ? Learned::kFull : Learned::kDiagonal;
  return spec;
}

TEST(ProjectedScore, IsExactWithSquaresWhereTheStatesAreIndependent) {
  for (const int dim : {1, 3}) {
    const LinearGaussianSpec spec = learning_all(dim, false);
    const Eigen::MatrixXd exact = increments(spec, scoring(RecursionMethod::kClosedForm));
    EXPECT_TRUE(test::all_close(increments(spec, scoring(RecursionMethod::kProjection, true)),
                                exact, 1e-9));
  }
}

TEST(ProjectedScore, HasTheExactExpectationOfQuadraticScores) {
  const LinearGaussianSpec spec = learning_all(3, true);
  Config exact = scoring(RecursionMethod::kClosedForm);
  Config projected = scoring(RecursionMethod::kProjection);
  exact.objective = projected.objective = Objective::kAelbo2;
  EXPECT_TRUE(test::all_close(increments(spec, projected), increments(spec, exact), 1e-9));
}

double relative_error(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return (a - b).norm() / b.norm();
}

TEST(ProjectedScore, LosesLittleWhereTheStatesAreCorrelated) {
  const LinearGaussianSpec spec = learning_all(3, true);
  const Eigen::MatrixXd exact = increments(spec, scoring(RecursionMethod::kClosedForm));
  Config without = scoring(RecursionMethod::kProjection);
  without.objective = Objective::kAelbo2;
  const double lines =
      relative_error(increments(spec, scoring(RecursionMethod::kProjection)), exact);
  const double squares =
      relative_error(increments(spec, scoring(RecursionMethod::kProjection, true)), exact);
  const double none = relative_error(increments(spec, without), exact);
  RecordProperty("lines", std::to_string(lines));
  RecordProperty("squares", std::to_string(squares));
  RecordProperty("none", std::to_string(none));
  EXPECT_LT(lines, 0.5 * none);
  EXPECT_LT(squares, lines);
}

StateSpaceModel neural_model() {
  NeuralTransitionSpec spec = test::small_neural_spec();
  spec.learn_noise = LearnedScale::kShared;
  return test::observed_neural_model(spec, 0.3);
}

// The sum of all scores of a sequence is E[S_T] under q_T, whatever the recursion makes of it on
// the way: draws of whole sequences know it without any recursion.
struct WholeSequence {
  Eigen::VectorXd recursive;
  Eigen::VectorXd drawn;
};

WholeSequence whole_sequence(const Config& config) {
  RandomStream random(5, 79);
  const Eigen::MatrixXd y = simulate(neural_model(), 15, random).observations;
  OnlineVariationalFilter filter(neural_model(), config);
  const Eigen::Index count = filter.parameters().size();
  WholeSequence result{Eigen::VectorXd::Zero(count), Eigen::VectorXd::Zero(count)};
  std::vector<StepRecord> records;
  for (Eigen::Index t = 0; t < y.cols(); ++t) {
    EXPECT_TRUE(filter.step(y.col(t)).ok());
    result.recursive += filter.score_increment().gradient;
    records.push_back(filter.record().copy());
  }
  std::vector<const StepRecord*> newest_first;
  for (std::size_t t = records.size(); t-- > 0;) newest_first.push_back(&records[t]);
  BackwardSamples samples;
  samples.draw(filter.model(), newest_first, 50000, 1.0, random);
  Eigen::MatrixXd scores;
  for (std::size_t k = 0; k + 1 < samples.x.size(); ++k) {
    filter.model().scores({}, newest_first[k]->y, samples.x[k + 1], samples.x[k], scores);
    result.drawn += scores.rowwise().mean();
  }
  return result;
}

TEST(ProjectedScore, AgreesWithDrawsOfWholeSequencesOfANeuralTransition) {
  const auto error = [](const Config& config) {
    const WholeSequence scores = whole_sequence(config);
    return relative_error(scores.recursive, scores.drawn);
  };
  Config without = scoring(RecursionMethod::kProjection);
  without.objective = Objective::kAelbo2;
  const double none = error(without);
  const double lines = error(scoring(RecursionMethod::kProjection));
  const double squares = error(scoring(RecursionMethod::kProjection, true));
  const double quadratic = error(scoring(RecursionMethod::kClosedForm));
  RecordProperty("none", std::to_string(none));
  RecordProperty("lines", std::to_string(lines));
  RecordProperty("squares", std::to_string(squares));
  RecordProperty("quadratic", std::to_string(quadratic));
  EXPECT_LT(lines, 0.5 * none);
  EXPECT_LT(squares, 0.2 * none);
}

}  // namespace
}  // namespace ovf
