#include "ovf/model/joint_motion.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "model/mean_checks.hpp"
#include "model/step_inputs.hpp"
#include "ovf/model/motion_mean.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::contains;
using test::message_of;
using test::RandomInputs;
using test::step_of;

JointMotion::Parameters arm(bool commanded) {
  return {.joints = {"shoulder", "elbow", "wrist"}, .commanded = commanded, .response_time = 0.2};
}

TEST(JointMotion, NamesPositionsThenVelocities) {
  const JointMotion motion(arm(false));
  ASSERT_EQ(motion.state_dim(), 6);
  EXPECT_EQ(motion.states()[1].name, "elbow.position");
  EXPECT_EQ(motion.states()[5].name, "wrist.velocity");
  EXPECT_EQ(motion.control_dim(), 0);
  EXPECT_EQ(JointMotion(arm(true)).control_dim(), 3);
}

TEST(JointMotion, HasTheNumericalJacobian) {
  RandomInputs inputs(1);
  for (const bool commanded : {false, true}) {
    const auto mean = make_motion_mean(std::make_shared<JointMotion>(arm(commanded)), 7);
    StepInput input = step_of(0.15);
    if (commanded) input.control = inputs.vector(3);
    test::expect_numerical_gradients(*mean, input, inputs.matrix(7, 3), inputs);
  }
}

TEST(JointMotion, KeepsItsVelocitiesWithoutAControl) {
  const Eigen::VectorXd x = RandomInputs(2).vector(6);
  for (const bool commanded : {false, true}) {
    const JointMotion motion(arm(commanded));
    Eigen::VectorXd out(6);
    motion.move(step_of(0.5), x.data(), nullptr, out.data());
    EXPECT_TRUE(all_close(out.head(3), x.head(3) + 0.5 * x.tail(3), 1e-15));
    EXPECT_TRUE(all_close(out.tail(3), x.tail(3), 0.0));
  }
}

TEST(JointMotion, ApproachesACommandWithinItsResponseTime) {
  RandomInputs inputs(3);
  const JointMotion motion(arm(true));
  const Eigen::VectorXd start = inputs.vector(6);
  StepInput input = step_of(0.05);
  input.control = inputs.vector(3);
  // The response is v' = (command - v) / 0.2 s: many short steps of Euler's method find it too.
  Eigen::VectorXd x = start, out(6);
  for (int k = 0; k < 4; ++k) {
    motion.move(input, x.data(), nullptr, out.data());
    x = out;
  }
  Eigen::VectorXd euler = start;
  constexpr int kParts = 200000;
  for (int k = 0; k < kParts; ++k) {
    const Eigen::VectorXd rate = (input.control - euler.tail(3)) / 0.2;
    euler.head(3) += 0.2 / kParts * euler.tail(3);
    euler.tail(3) += 0.2 / kParts * rate;
  }
  EXPECT_TRUE(all_close(x, euler, 1e-5));
  // After a response time what is missing has shrunk by e.
  EXPECT_TRUE(
      all_close(x.tail(3) - input.control, (start.tail(3) - input.control) / std::exp(1.0), 1e-12));
}

TEST(JointMotion, TakesVelocitiesAsResidual) {
  RandomInputs inputs(4);
  const JointMotion motion(arm(false));
  ASSERT_EQ(motion.residual_dim(), 3);
  const Eigen::VectorXd x = inputs.vector(6), residual = inputs.vector(3);
  Eigen::VectorXd plain(6), out(6);
  motion.move(step_of(0.5), x.data(), nullptr, plain.data());
  motion.move(step_of(0.5), x.data(), residual.data(), out.data());
  EXPECT_TRUE(all_close(out.head(3) - plain.head(3), 0.5 * residual, 1e-15));
  EXPECT_TRUE(all_close(out.tail(3), plain.tail(3), 0.0));
}

TEST(JointMotion, StandsOnABaseAtRest) {
  const Eigen::VectorXd x = RandomInputs(5).vector(6);
  const Kinematics<double> base = JointMotion(arm(false)).kinematics(StepInput{}, x.data());
  EXPECT_TRUE(base.position.isZero(0.0));
  EXPECT_TRUE(base.rotation.isIdentity(0.0));
  EXPECT_TRUE(base.velocity.isZero(0.0));
}

TEST(JointMotion, RefusesNoJointsAndABadResponseTime) {
  EXPECT_TRUE(contains(message_of([] { JointMotion({.joints = {}}); }), "joints: none"));
  EXPECT_TRUE(contains(message_of([] { JointMotion({.joints = {"a"}, .response_time = 0.0}); }),
                       "response time is 0"));
}

TEST(JointMotion, ShowsALearnedPartItsVelocitiesAndWhatTheyLackOfTheCommand) {
  RandomInputs inputs(6);
  const JointMotion motion(arm(true));
  ASSERT_EQ(motion.residual_inputs().size(), 6U);
  EXPECT_EQ(motion.residual_inputs()[4].name, "elbow_lag");
  EXPECT_EQ(motion.residual_name(1), "elbow");
  const Eigen::VectorXd x = inputs.vector(6);
  StepInput input = step_of(0.1);
  Eigen::VectorXd values(6);
  motion.residual_input_values(input, x.data(), values.data());
  EXPECT_TRUE(all_close(values.head(3), x.tail(3), 0.0));
  EXPECT_TRUE(values.tail(3).isZero(0.0));
  input.control = inputs.vector(3);
  motion.residual_input_values(input, x.data(), values.data());
  EXPECT_TRUE(all_close(values.tail(3), input.control - x.tail(3), 1e-15));
  EXPECT_EQ(JointMotion(arm(false)).residual_inputs().size(), 3U);
}

}  // namespace
}  // namespace ovf
