#include "ovf/model/chaotic_rnn_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "math/random_inputs.hpp"

namespace ovf {
namespace {

using test::all_close;

TEST(ChaoticRnnModel, HasThePaperModelByDefault) {
  ChaoticRnnSpec spec;
  RandomStream random(91);
  spec.W = ChaoticRnn::random(2, random).weights();
  const StateSpaceModel model = make_chaotic_rnn(spec);
  EXPECT_EQ(model.parameters().size(), 0);
  EXPECT_TRUE(all_close(model.prior().covariance(), 0.01 * Eigen::MatrixXd::Identity(2, 2), 1e-15));
  const Eigen::Vector2d x(0.3, -0.8), to(0.25, -0.7), y(0.5, -0.75);
  Eigen::VectorXd value;
  model.transition().log_density({}, x, to, value);
  const Eigen::Vector2d tanh(std::tanh(0.3), std::tanh(-0.8));
  const Eigen::Vector2d residual = to - (x + 0.04 * (-x + 2.5 * spec.W * tanh));
  EXPECT_NEAR(value[0], -50.0 * residual.squaredNorm() - 2.0 * std::log(0.1) - kLogTwoPi, 1e-12);
  // A Student-t with two degrees of freedom has density (2 + u^2)^(-3/2).
  model.observation().log_density(y, x, value);
  double expected = -2.0 * std::log(0.1);
  for (int i = 0; i < 2; ++i) expected -= 1.5 * std::log(2.0 + std::pow((y[i] - x[i]) / 0.1, 2));
  EXPECT_NEAR(value[0], expected, 1e-12);
}

TEST(ChaoticRnnModel, NamesWhatIsLearnedInOrder) {
  ChaoticRnnSpec spec;
  spec.W = Eigen::MatrixXd::Identity(2, 2);
  spec.learn_W = spec.learn_gamma = spec.learn_tau = true;
  spec.learn_process_noise = spec.learn_observation_scale = spec.learn_nu = true;
  const StateSpaceModel model = make_chaotic_rnn(spec);
  Eigen::VectorXd expected(9);
  expected << 1.0, 0.0, 0.0, 1.0, 2.5, 0.025, 0.1, 0.1, 2.0;
  EXPECT_TRUE(all_close(model.parameters().values(), expected, 1e-15));
  EXPECT_EQ(model.parameters().index_of("noise"), 6);
  EXPECT_EQ(model.parameters().index_of("scale"), 7);
  EXPECT_EQ(model.parameters().index_of("nu"), 8);
  EXPECT_TRUE(model.has_closed_form_scores());
}

TEST(ChaoticRnnModel, RefusesADeviationThatIsNotPositive) {
  ChaoticRnnSpec spec;
  spec.W = Eigen::MatrixXd::Identity(2, 2);
  spec.process_noise = -0.1;
  const std::string text = test::message_of([&] { make_chaotic_rnn(spec); });
  EXPECT_TRUE(test::contains(text, "is -0.1; expected a positive")) << text;
}

}  // namespace
}  // namespace ovf
