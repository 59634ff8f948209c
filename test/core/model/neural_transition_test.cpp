#include "ovf/model/neural_transition.hpp"

#include <gtest/gtest.h>

#include "math/random_inputs.hpp"
#include "ovf/math/gradient_check.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

NeuralTransitionSpec small_spec(LearnedScale learn_noise) {
  NeuralTransitionSpec spec;
  spec.state_dim = 3;
  spec.control_dim = 1;
  spec.hidden = 4;
  spec.blocks = 2;
  spec.learn_noise = learn_noise;
  return spec;
}

StepInput with_control(double control) {
  StepInput input;
  input.control.setConstant(1, control);
  return input;
}

TEST(NeuralTransition, IsThePaperTransitionByDefault) {
  const auto transition = make_neural_transition({});
  EXPECT_EQ(transition->state_dim(), 32);
  EXPECT_EQ(transition->parameters().size(), 8452);
  const Eigen::MatrixXd U = 0.1 * Eigen::MatrixXd::Identity(32, 32);
  EXPECT_TRUE(all_close(transition->noise().covariance(), U, 1e-15));
  EXPECT_FALSE(transition->is_linear());
}

TEST(NeuralTransition, HasTheNumericalScoresAndGradients) {
  for (const auto learn : {LearnedScale::kNo, LearnedScale::kShared, LearnedScale::kEach}) {
    const auto transition = make_neural_transition(small_spec(learn));
    const StepInput input = with_control(0.7);
    RandomInputs inputs(1);
    const Eigen::VectorXd theta = transition->parameters().values();
    const Eigen::MatrixXd from = inputs.matrix(3, 4), to = inputs.matrix(3, 4);
    Eigen::MatrixXd scores(theta.size(), 4), d_from, d_to;
    transition->scores(input, from, to, scores);
    transition->gradients(input, from, to, d_from, d_to);
    for (int n = 0; n < 4; ++n) {
      const auto log_f = [&](const Eigen::VectorXd& x, const Eigen::VectorXd& next) {
        Eigen::VectorXd out;
        transition->log_density(input, x, next, out);
        return out[0];
      };
      const auto of_theta = [&](const Eigen::VectorXd& moved) {
        transition->set_parameters(moved);
        return log_f(from.col(n), to.col(n));
      };
      EXPECT_TRUE(all_close(scores.col(n), numerical_gradient(of_theta, theta), 1e-6));
      transition->set_parameters(theta);
      const auto of_from = [&](const Eigen::VectorXd& x) { return log_f(x, to.col(n)); };
      const auto of_to = [&](const Eigen::VectorXd& x) { return log_f(from.col(n), x); };
      EXPECT_TRUE(all_close(d_from.col(n), numerical_gradient(of_from, from.col(n)), 1e-6));
      EXPECT_TRUE(all_close(d_to.col(n), numerical_gradient(of_to, to.col(n)), 1e-6));
    }
  }
}

TEST(NeuralTransition, WeighsAndSumsTheScoresOfGroups) {
  for (const auto learn : {LearnedScale::kNo, LearnedScale::kShared, LearnedScale::kEach}) {
    const auto transition = make_neural_transition(small_spec(learn));
    const StepInput input = with_control(-0.3);
    RandomInputs inputs(2);
    const Eigen::MatrixXd from = inputs.matrix(3, 6), to = inputs.matrix(3, 6);
    const Eigen::VectorXd weights = inputs.vector(6);
    const Eigen::Index count = transition->parameters().size();
    Eigen::MatrixXd each(count, 6), sums(count, 3), inherited(count, 3);
    transition->scores(input, from, to, each);
    transition->grouped_scores(input, from, to, weights, sums);
    transition->Transition::grouped_scores(input, from, to, weights, inherited);
    for (int g = 0; g < 3; ++g) {
      const Eigen::VectorXd expected = each.middleCols(2 * g, 2) * weights.segment(2 * g, 2);
      EXPECT_TRUE(all_close(sums.col(g), expected, 1e-12));
      EXPECT_TRUE(all_close(inherited.col(g), expected, 1e-12));
    }
  }
}

TEST(NeuralTransition, RefusesANoiseThatIsNotPositive) {
  NeuralTransitionSpec spec = small_spec(LearnedScale::kNo);
  spec.noise_variance = 0.0;
  const std::string text = test::message_of([&] { make_neural_transition(spec); });
  EXPECT_TRUE(test::contains(text, "transition noise")) << text;
}

}  // namespace
}  // namespace ovf
