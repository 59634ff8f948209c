#include "ovf/model/state_space_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "math/random_inputs.hpp"
#include "ovf/model/linear_gaussian.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::contains;
using test::message_of;
using test::RandomInputs;

LinearGaussianSpec two_states_one_sensor() {
  LinearGaussianSpec spec;
  spec.prior = {Eigen::Vector2d(5.0, -3.0), CovarianceFactor(2, CovarianceForm::kFull, 0.1)};
  spec.F = Eigen::Matrix2d{{0.8, 0.3}, {-0.2, 0.7}};
  spec.G = Eigen::RowVector2d(1.0, 0.5);
  spec.U = Eigen::Matrix2d{{0.5, 0.2}, {0.2, 0.4}};
  spec.V = Eigen::MatrixXd::Constant(1, 1, 0.3);
  return spec;
}

TEST(StateSpaceModel, RejectsPriorTransitionAndObservationOfDifferentDimensions) {
  LinearGaussianSpec spec = two_states_one_sensor();
  spec.prior = standard_gaussian(3, CovarianceForm::kFull);
  const std::string of_prior = message_of([&] { make_linear_gaussian(spec); });
  EXPECT_TRUE(contains(of_prior, "prior 3, transition 2, observation 2")) << of_prior;
  spec = two_states_one_sensor();
  spec.G = Eigen::RowVector3d::Ones();
  const std::string of_sensor = message_of([&] { make_linear_gaussian(spec); });
  EXPECT_TRUE(contains(of_sensor, "prior 2, transition 2, observation 3")) << of_sensor;
}

TEST(StateSpaceModel, RejectsAPriorWhoseMeanAndCovarianceDisagree) {
  LinearGaussianSpec spec = two_states_one_sensor();
  spec.prior.factor = CovarianceFactor(3, CovarianceForm::kFull);
  EXPECT_THROW(make_linear_gaussian(spec), std::invalid_argument);
  spec.prior.factor = CovarianceFactor();
  EXPECT_THROW(make_linear_gaussian(spec), std::invalid_argument);
}

TEST(StateSpaceModel, RejectsAPriorMeanThatIsNotFinite) {
  LinearGaussianSpec spec = two_states_one_sensor();
  spec.prior.mean[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(message_of([&] { make_linear_gaussian(spec); }), "prior mean"));
}

TEST(StateSpaceModel, NamesTheBadMatrixOfALinearModel) {
  const auto message_for = [](auto change) {
    LinearGaussianSpec spec = two_states_one_sensor();
    change(spec);
    return message_of([&] { make_linear_gaussian(spec); });
  };
  const auto not_square = message_for([](auto& s) { s.F = Eigen::MatrixXd::Ones(2, 3); });
  EXPECT_TRUE(contains(not_square, "matrix F is 2x3")) << not_square;
  const auto nan = message_for([](auto& s) { s.G(0, 1) = std::nan(""); });
  EXPECT_TRUE(contains(nan, "matrix G")) << nan;
  const auto negative = message_for([](auto& s) { s.V(0, 0) = -1.0; });
  EXPECT_TRUE(contains(negative, "V: covariance is not positive definite")) << negative;
  const auto size = message_for([](auto& s) { s.U = Eigen::MatrixXd::Identity(3, 3); });
  EXPECT_TRUE(contains(size, "covariance U has 3 rows; expected 2 as in F")) << size;
}

TEST(StateSpaceModel, SplitsThetaBetweenTransitionAndObservation) {
  LinearGaussianSpec spec = two_states_one_sensor();
  spec.learn_F = Learned::kDiagonal;
  spec.learn_G = Learned::kFull;
  spec.learn_V = Learned::kDiagonal;
  StateSpaceModel model = make_linear_gaussian(spec);
  EXPECT_EQ(model.state_dim(), 2);
  EXPECT_EQ(model.observation_dim(), 1);
  EXPECT_TRUE(model.has_closed_form_scores());
  ASSERT_EQ(model.parameters().size(), 5);
  EXPECT_EQ(model.transition_parameter_count(), 2);
  EXPECT_EQ(model.parameters().index_of("F[1,1]"), 1);
  EXPECT_EQ(model.parameters().index_of("G[0,0]"), 2);
  EXPECT_EQ(model.parameters().index_of("V[0,0]"), 4);

  Eigen::VectorXd theta(5);
  theta << 0.1, 0.2, 0.3, 0.4, 0.5;
  model.set_parameters(theta);
  EXPECT_EQ(model.parameters().values(), theta);
  EXPECT_EQ(model.transition().parameters().values(), theta.head(2));
  EXPECT_EQ(model.observation().parameters().values(), theta.tail(3));
}

TEST(StateSpaceModel, KeepsAllOfThetaWhenOnePartIsRejected) {
  LinearGaussianSpec spec = two_states_one_sensor();
  spec.learn_F = Learned::kDiagonal;
  spec.learn_V = Learned::kDiagonal;
  StateSpaceModel model = make_linear_gaussian(spec);
  const Eigen::VectorXd before = model.parameters().values();
  EXPECT_THROW(model.set_parameters(Eigen::Vector3d(0.1, 0.2, -1.0)), std::invalid_argument);
  EXPECT_THROW(model.set_parameters(Eigen::Vector2d(0.1, 0.2)), std::invalid_argument);
  EXPECT_EQ(model.parameters().values(), before);
  EXPECT_EQ(model.transition().parameters().values(), before.head(2));
}

TEST(StateSpaceModel, StacksTheScoresOfBothParts) {
  LinearGaussianSpec spec = two_states_one_sensor();
  spec.learn_F = Learned::kFull;
  spec.learn_V = Learned::kDiagonal;
  const StateSpaceModel model = make_linear_gaussian(spec);
  RandomInputs inputs(71);
  const Eigen::MatrixXd from = inputs.matrix(2, 3), to = inputs.matrix(2, 3);
  const Eigen::VectorXd y = inputs.vector(1);
  Eigen::MatrixXd of_transition(4, 3), of_observation(1, 3), all, first;
  model.transition().scores({}, from, to, of_transition);
  model.observation().scores(y, to, of_observation);
  model.scores({}, y, from, to, all);
  EXPECT_TRUE(all_close(all.topRows(4), of_transition, 0.0));
  EXPECT_TRUE(all_close(all.bottomRows(1), of_observation, 0.0));
  model.first_scores({}, y, to, first);
  EXPECT_TRUE(all_close(first.topRows(4), Eigen::MatrixXd::Zero(4, 3), 0.0));
  EXPECT_TRUE(all_close(first.bottomRows(1), of_observation, 0.0));
}

TEST(Simulate, DrawsTheStationaryCovarianceOfAStableSystem) {
  const LinearGaussianSpec spec = two_states_one_sensor();
  constexpr int kSteps = 200'000, kBurnIn = 100;
  RandomStream random(72);
  const SimulatedSequence sequence = simulate(make_linear_gaussian(spec), kSteps, random);
  ASSERT_EQ(sequence.states.cols(), kSteps);
  ASSERT_EQ(sequence.observations.rows(), 1);

  Eigen::MatrixXd stationary = spec.U;
  for (int i = 0; i < 500; ++i) stationary = spec.F * stationary * spec.F.transpose() + spec.U;
  const Eigen::MatrixXd states = sequence.states.rightCols(kSteps - kBurnIn);
  const double n = static_cast<double>(states.cols());
  // The states forget within about 7 steps (|eigenvalue| 0.79), so that they count as n / 7
  // independent ones; entries have standard errors of up to stationary(0, 0) sqrt(2 * 7 / n).
  const double tolerance = 5.0 * stationary.maxCoeff() * std::sqrt(2.0 * 7.0 / n);
  EXPECT_TRUE(all_close(states.rowwise().mean(), Eigen::VectorXd::Zero(2), tolerance));
  EXPECT_TRUE(all_close(states * states.transpose() / n, stationary, tolerance));
  const Eigen::MatrixXd lagged =
      states.rightCols(states.cols() - 1) * states.leftCols(states.cols() - 1).transpose() / n;
  EXPECT_TRUE(all_close(lagged, spec.F * stationary, tolerance));

  const Eigen::MatrixXd noise = sequence.observations - spec.G * sequence.states;
  // The observation noise is independent from step to step.
  EXPECT_NEAR(noise.squaredNorm() / kSteps, 0.3, 5.0 * 0.3 * std::sqrt(2.0 / kSteps));
}

TEST(Simulate, StartsFromThePrior) {
  const StateSpaceModel model = make_linear_gaussian(two_states_one_sensor());
  constexpr int kRuns = 5'000;
  RandomStream random(73);
  Eigen::MatrixXd starts(2, kRuns);
  for (int i = 0; i < kRuns; ++i) starts.col(i) = simulate(model, 1, random).states;
  const Eigen::VectorXd mean = starts.rowwise().mean();
  // Five standard errors of a mean with deviation 0.1 and of a variance of 0.01.
  EXPECT_LT((mean - model.prior().mean).cwiseAbs().maxCoeff(), 5.0 * 0.1 / std::sqrt(kRuns));
  const Eigen::MatrixXd centred = starts.colwise() - model.prior().mean;
  const Eigen::MatrixXd covariance = centred * centred.transpose() / kRuns;
  EXPECT_LT((covariance - model.prior().covariance()).cwiseAbs().maxCoeff(),
            5.0 * 0.01 * std::sqrt(2.0 / kRuns));
}

}  // namespace
}  // namespace ovf
