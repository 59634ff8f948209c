#include "ovf/model/point_motion.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "model/mean_checks.hpp"
#include "model/step_inputs.hpp"
#include "ovf/model/motion_mean.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;
using test::step_of;

TEST(PointMotion, HasTheNumericalJacobian) {
  RandomInputs inputs(1);
  for (const auto constant :
       {PointMotion::Constant::kVelocity, PointMotion::Constant::kAcceleration}) {
    const auto motion = std::make_shared<PointMotion>(constant);
    // One learned number follows the motion's own.
    const int dim = motion->state_dim() + 1;
    const auto mean = make_motion_mean(motion, dim);
    test::expect_numerical_gradients(*mean, step_of(0.3), inputs.matrix(dim, 3), inputs);
  }
}

TEST(PointMotion, FliesStraightWithConstantVelocity) {
  const PointMotion motion(PointMotion::Constant::kVelocity);
  ASSERT_EQ(motion.state_dim(), 6);
  EXPECT_EQ(motion.states()[3].name, "velocity_x");
  const Eigen::VectorXd x = RandomInputs(2).vector(6);
  Eigen::VectorXd out(6);
  motion.move(step_of(2.0), x.data(), nullptr, out.data());
  EXPECT_TRUE(all_close(out.head(3), x.head(3) + 2.0 * x.tail(3), 1e-15));
  EXPECT_TRUE(all_close(out.tail(3), x.tail(3), 0.0));
}

TEST(PointMotion, FallsWithConstantAccelerationWhateverTheSteps) {
  const PointMotion motion(PointMotion::Constant::kAcceleration);
  ASSERT_EQ(motion.state_dim(), 9);
  const Eigen::VectorXd start = RandomInputs(3).vector(9);
  Eigen::VectorXd once(9), twice(9), thrice(9);
  motion.move(step_of(0.7), start.data(), nullptr, once.data());
  motion.move(step_of(0.3), start.data(), nullptr, twice.data());
  motion.move(step_of(0.4), twice.data(), nullptr, thrice.data());
  EXPECT_TRUE(all_close(thrice, once, 1e-14));
  EXPECT_TRUE(all_close(once.head(3),
                        start.head(3) + 0.7 * start.segment(3, 3) + 0.245 * start.tail(3), 1e-14));
}

TEST(PointMotion, TakesAccelerationsAsResidual) {
  RandomInputs inputs(4);
  const PointMotion plain(PointMotion::Constant::kVelocity);
  const PointMotion accelerating(PointMotion::Constant::kAcceleration);
  ASSERT_EQ(plain.residual_dim(), 3);
  const Eigen::VectorXd x = inputs.vector(9);
  const Eigen::VectorXd residual = x.tail(3);
  Eigen::VectorXd out(6), expected(9);
  plain.move(step_of(0.6), x.data(), residual.data(), out.data());
  accelerating.move(step_of(0.6), x.data(), nullptr, expected.data());
  EXPECT_TRUE(all_close(out, expected.head(6), 1e-15));
}

TEST(PointMotion, SeesTheWorldFromABodyThatDoesNotTurn) {
  const PointMotion motion(PointMotion::Constant::kVelocity);
  const Eigen::VectorXd x = RandomInputs(5).vector(6);
  const Kinematics<double> body = motion.kinematics(StepInput{}, x.data());
  EXPECT_TRUE(all_close(body.position, x.head(3), 0.0));
  EXPECT_TRUE(all_close(body.velocity, x.tail(3), 0.0));
  EXPECT_TRUE(body.rotation.isIdentity(0.0));
  EXPECT_TRUE(body.rate.isZero(0.0));
}

TEST(PointMotion, ShowsALearnedPartItsVelocities) {
  const PointMotion motion(PointMotion::Constant::kVelocity);
  const Eigen::VectorXd x = RandomInputs(6).vector(6);
  ASSERT_EQ(motion.residual_inputs().size(), 3U);
  EXPECT_EQ(motion.residual_name(2), "z");
  Eigen::Vector3d values;
  motion.residual_input_values(StepInput{}, x.data(), values.data());
  EXPECT_TRUE(all_close(values, x.tail(3), 0.0));
}

}  // namespace
}  // namespace ovf
