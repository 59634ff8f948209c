#include "ovf/model/learned_dynamics.hpp"

#include <gtest/gtest.h>

#include "model/mean_checks.hpp"
#include "ovf/model/motion_mean.hpp"
#include "ovf/model/planar_motion.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

// A planar robot with a learned scale and slip behind its own five states, and three states more:
// ten in all, more than one pass of dual numbers takes.
LearnedDynamicsSpec spec_of(ResidualFamily family,
                            PlanarMotion::Control control = PlanarMotion::Control::kCommand) {
  LearnedDynamicsSpec spec;
  PlanarMotion::Parameters parameters;
  parameters.control = control;
  parameters.scale.index = 5;
  parameters.slip.index = 6;
  spec.motion = std::make_shared<PlanarMotion>(parameters);
  spec.state_dim = 10;
  spec.family = family;
  if (control == PlanarMotion::Control::kCommand) spec.input_scales = {1.5, 0.8, 0.7, 0.9};
  return spec;
}

StepInput some_input() {
  StepInput input;
  input.dt = 0.3;
  input.control = Eigen::Vector2d(0.9, -0.6);
  return input;
}

class LearnedDynamicsOf : public testing::TestWithParam<ResidualFamily> {};
INSTANTIATE_TEST_SUITE_P(Families, LearnedDynamicsOf,
                         testing::Values(ResidualFamily::kFeatures, ResidualFamily::kNetwork));

TEST_P(LearnedDynamicsOf, StartsAsTheMotionAlone) {
  const LearnedDynamicsSpec spec = spec_of(GetParam());
  RandomInputs inputs(51);
  const Eigen::MatrixXd x = inputs.matrix(10, 4);
  Eigen::MatrixXd values, plain;
  LearnedDynamics(spec).values(some_input(), x, values);
  make_motion_mean(spec.motion, 10)->values(some_input(), x, plain);
  EXPECT_EQ(values, plain);
}

TEST_P(LearnedDynamicsOf, HasTheNumericalGradients) {
  LearnedDynamics mean(spec_of(GetParam()));
  RandomInputs inputs(52);
  mean.set_parameters(0.5 * inputs.vector(mean.parameters().size()));
  test::expect_numerical_gradients(mean, some_input(), inputs.matrix(10, 4), inputs);
}

TEST_P(LearnedDynamicsOf, HasTheNumericalGradientsWithoutAControl) {
  LearnedDynamics mean(spec_of(GetParam()));
  RandomInputs inputs(53);
  mean.set_parameters(0.5 * inputs.vector(mean.parameters().size()));
  StepInput input = some_input();
  input.control.resize(0);
  test::expect_numerical_gradients(mean, input, inputs.matrix(10, 3), inputs);
}

TEST_P(LearnedDynamicsOf, HasTheParameterExpectationThatItsExpectationImplies) {
  LearnedDynamics mean(spec_of(GetParam()));
  RandomInputs inputs(54);
  mean.set_parameters(0.5 * inputs.vector(mean.parameters().size()));
  test::expect_consistent_parameter_expectation(mean, some_input(),
                                                inputs.gaussian(10, CovarianceForm::kFull));
}

TEST_P(LearnedDynamicsOf, DoesNotDependOnWhereTheRobotIs) {
  LearnedDynamics mean(spec_of(GetParam()));
  RandomInputs inputs(55);
  mean.set_parameters(0.5 * inputs.vector(mean.parameters().size()));
  Eigen::MatrixXd x = inputs.matrix(10, 1), here, there;
  mean.values(some_input(), x, here);
  here -= x;
  x.topRows(2).array() += 50.0;
  mean.values(some_input(), x, there);
  there -= x;
  EXPECT_TRUE(all_close(there, here, 1e-12));
}

TEST(LearnedDynamics, AddsANamedFeatureToTheVelocityThatItNames) {
  LearnedDynamics mean(spec_of(ResidualFamily::kFeatures, PlanarMotion::Control::kNone));
  Eigen::VectorXd w = mean.parameters().values();
  w[mean.parameters().index_of("dynamics.forward[speed*|speed|]")] = -0.1;
  w[mean.parameters().index_of("dynamics.left[speed*turn]")] = 0.15;
  mean.set_parameters(w);
  StepInput input;
  input.dt = 1e-6;  // velocities
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(10, 1), out;
  x(3) = -2.0;
  x(4) = 0.5;
  mean.values(input, x, out);
  EXPECT_NEAR(out(0) / input.dt, -2.0 + 0.4, 1e-5);
  EXPECT_NEAR(out(1) / input.dt, -0.15, 1e-5);
  EXPECT_NEAR(out(2) / input.dt, 0.5, 1e-5);
}

TEST(LearnedDynamics, NamesItsWeights) {
  const LearnedDynamics features(spec_of(ResidualFamily::kFeatures));
  ASSERT_EQ(features.parameters().size(), 30);
  EXPECT_EQ(features.parameters().info(0).name, "dynamics.forward[1]");
  EXPECT_EQ(features.parameters().index_of("dynamics.turn[turn_lag]"), 24);
  EXPECT_EQ(features.parameters().info(3).prior_deviation, 0.2);
  LearnedDynamicsSpec linear = spec_of(ResidualFamily::kFeatures);
  linear.degree = 1;
  EXPECT_EQ(LearnedDynamics(linear).parameters().size(), 15);
  const LearnedDynamics network(spec_of(ResidualFamily::kNetwork));
  ASSERT_EQ(network.parameters().size(), 4 * 5 + 3 * 5);
  EXPECT_EQ(network.parameters().index_of("dynamics.unit1[speed]"), 6);
  EXPECT_EQ(network.parameters().index_of("dynamics.left[unit0]"), 26);
}

TEST(LearnedDynamics, NamesWhatIsWrong) {
  LearnedDynamicsSpec spec = spec_of(ResidualFamily::kFeatures);
  const auto message = [&] { return test::message_of([&] { LearnedDynamics{spec}; }); };
  spec.input_scales = {1.0};
  EXPECT_TRUE(test::contains(message(), "1 input scales; expected 4")) << message();
  spec.input_scales = {1.0, 0.0, 1.0, 1.0};
  EXPECT_TRUE(test::contains(message(), "an input scale is 0")) << message();
  spec.input_scales = {};
  spec.degree = 3;
  EXPECT_TRUE(test::contains(message(), "degree 3; expected 1 or 2")) << message();
  spec.family = ResidualFamily::kNetwork;
  spec.hidden = 0;
  EXPECT_TRUE(test::contains(message(), "0 hidden units")) << message();
  spec.hidden = 4;
  spec.state_dim = 4;
  EXPECT_TRUE(test::contains(message(), "a state of 4 dimensions; the motion has 5")) << message();
  spec.motion = nullptr;
  EXPECT_TRUE(test::contains(message(), "no motion")) << message();
}

}  // namespace
}  // namespace ovf
