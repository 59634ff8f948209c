#include "ovf/model/planar_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "model/mean_checks.hpp"
#include "model/step_inputs.hpp"
#include "ovf/model/motion_mean.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;
using test::step_of;

PlanarMotion::Parameters learned(PlanarMotion::Control control) {
  PlanarMotion::Parameters parameters;
  parameters.control = control;
  parameters.scale.index = 5;
  parameters.turn_scale.index = 6;
  parameters.yaw_rate_bias.index = 7;
  parameters.slip.index = 8;
  return parameters;
}

TEST(PlanarMotion, HasTheNumericalJacobian) {
  RandomInputs inputs(1);
  for (const auto control : {PlanarMotion::Control::kNone, PlanarMotion::Control::kOdometry,
                             PlanarMotion::Control::kCommand}) {
    const auto mean = make_motion_mean(std::make_shared<PlanarMotion>(learned(control)), 9);
    StepInput input = step_of(0.3);
    test::expect_numerical_gradients(*mean, input, inputs.matrix(9, 3), inputs);
    if (control == PlanarMotion::Control::kNone) continue;
    input.control = inputs.vector(2);
    test::expect_numerical_gradients(*mean, input, inputs.matrix(9, 3), inputs);
  }
  PlanarMotion::Parameters lasting = learned(PlanarMotion::Control::kOdometry);
  lasting.error_time = 0.5;
  StepInput input = step_of(0.3);
  input.control = inputs.vector(2);
  input.last_control = inputs.vector(2);
  const auto mean = make_motion_mean(std::make_shared<PlanarMotion>(lasting), 9);
  test::expect_numerical_gradients(*mean, input, inputs.matrix(9, 3), inputs);
}

TEST(PlanarMotion, DrivesACircle) {
  PlanarMotion::Parameters parameters;
  parameters.control = PlanarMotion::Control::kNone;
  const PlanarMotion motion(parameters);
  constexpr int kSteps = 2000;
  Eigen::VectorXd x(5), out(5);
  x << 1.0, 2.0, 0.3, 2.0, 0.5;
  const Eigen::VectorXd start = x;
  const double turn = 2.0 * std::numbers::pi;
  for (int k = 0; k < kSteps; ++k) {
    motion.move(step_of(turn / 0.5 / kSteps), x.data(), nullptr, out.data());
    x = out;
  }
  EXPECT_TRUE(all_close(x.head(2), start.head(2), 1e-9));
  EXPECT_NEAR(x[2], start[2] + turn, 1e-9);
}

TEST(PlanarMotion, TakesOdometryForItsVelocities) {
  const PlanarMotion motion(learned(PlanarMotion::Control::kOdometry));
  Eigen::VectorXd x = RandomInputs(2).vector(9), out(5);
  x[8] = 0.0;
  StepInput input = step_of(0.2);
  input.control = Eigen::Vector2d(1.5, -0.4);
  motion.move(input, x.data(), nullptr, out.data());
  EXPECT_DOUBLE_EQ(out[3], 1.5 * x[5]);
  EXPECT_DOUBLE_EQ(out[4], -0.4 * x[6] + x[7]);
  EXPECT_NEAR(out[2], x[2] + 0.2 * out[4], 1e-15);
}

TEST(PlanarMotion, KeepsWhatOdometryMissesForAWhile) {
  PlanarMotion::Parameters parameters;
  parameters.error_time = 0.5;
  const PlanarMotion motion(parameters);
  Eigen::VectorXd x(5), out(5);
  // It goes by 0.2 m/s faster, and turns by 0.1 rad/s less, than the wheels said before.
  x << 0.0, 0.0, 0.0, 1.2, 0.3;
  StepInput input = step_of(0.2);
  input.last_control = Eigen::Vector2d(1.0, 0.4);
  input.control = Eigen::Vector2d(2.0, 0.0);
  motion.move(input, x.data(), nullptr, out.data());
  const double left = std::exp(-0.2 / 0.5);
  EXPECT_NEAR(out[3], 2.0 + 0.2 * left, 1e-12);
  EXPECT_NEAR(out[4], -0.1 * left, 1e-12);
  EXPECT_NEAR(out[2], 0.2 * out[4], 1e-12);
}

TEST(PlanarMotion, TellsSensorsWhereItIsAndHowItMoves) {
  const PlanarMotion motion(learned(PlanarMotion::Control::kOdometry));
  const Eigen::VectorXd x = RandomInputs(3).vector(9);
  const Kinematics<double> body = motion.kinematics(StepInput{}, x.data());
  EXPECT_TRUE(all_close(
      body.rotation, Eigen::AngleAxisd(x[2], Eigen::Vector3d::UnitZ()).toRotationMatrix(), 1e-15));
  EXPECT_TRUE(all_close(body.position, Eigen::Vector3d(x[0], x[1], 0.0), 0.0));
  EXPECT_TRUE(all_close(body.velocity, Eigen::Vector3d(x[3], x[8] * x[3] * x[4], 0.0), 1e-15));
  EXPECT_TRUE(all_close(body.rate, Eigen::Vector3d(0.0, 0.0, x[4]), 0.0));
}

}  // namespace
}  // namespace ovf
