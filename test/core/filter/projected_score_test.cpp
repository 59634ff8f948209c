// S of few coefficients against the closed form, where that is exact, and against draws.
#include "ovf/filter/projected_score.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "filter/linear_problem.hpp"
#include "math/random_inputs.hpp"
#include "ovf/model/linear_mean.hpp"
#include "ovf/model/neural_transition.hpp"
#include "ovf/model/nonlinear_observation.hpp"

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
  spec.learn_F = spec.learn_G = spec.learn_U = spec.learn_V = Learned::kDiagonal;
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

}  // namespace
}  // namespace ovf
