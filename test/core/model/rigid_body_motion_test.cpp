#include "ovf/model/rigid_body_motion.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numbers>

#include "model/mean_checks.hpp"
#include "model/step_inputs.hpp"
#include "ovf/model/motion_mean.hpp"
#include "ovf/model/nonlinear_transition.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;
using test::step_of;
using Vector12 = Eigen::Matrix<double, 12, 1>;

constexpr int kDim = 18;  // with both biases

std::shared_ptr<RigidBodyMotion> imu_body() {
  RigidBodyMotion::Parameters parameters{.control = RigidBodyMotion::Control::kImu};
  for (std::size_t i = 0; i < 3; ++i) {
    parameters.gyro_bias[i].index = 12 + static_cast<int>(i);
    parameters.accelerometer_bias[i].index = 15 + static_cast<int>(i);
  }
  return std::make_shared<RigidBodyMotion>(parameters);
}

Eigen::Quaterniond some_orientation(std::uint64_t seed) {
  const Eigen::VectorXd q = RandomInputs(seed).vector(4);
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
}

StepInput imu_input(RandomInputs& inputs) {
  StepInput input = step_of(0.2);
  input.control = inputs.vector(6);
  input.last_reference = some_orientation(11);
  input.reference =
      input.last_reference * some_orientation(12).slerp(0.8, Eigen::Quaterniond::Identity());
  return input;
}

Vector12 moved(const RigidBodyMotion& motion, const StepInput& input, const Vector12& x) {
  Vector12 out;
  motion.move(input, x.data(), nullptr, out.data());
  return out;
}

Eigen::Matrix3d orientation(const Eigen::Quaterniond& reference, const Vector12& x) {
  const Vector3<double> local = x.segment<3>(RigidBodyMotion::kRotation);
  return (reference * rotation_quaternion(local)).toRotationMatrix();
}

TEST(RigidBodyMotion, HasTheNumericalJacobianWithAndWithoutAnImu) {
  RandomInputs inputs(1);
  StepInput input = imu_input(inputs);
  const auto mean = make_motion_mean(imu_body(), kDim);
  Eigen::MatrixXd x = 0.5 * inputs.matrix(kDim, 4);
  x.col(0).segment(3, 3).setZero();  // where the filter mostly is
  test::expect_numerical_gradients(*mean, input, x, inputs, 1e-7);
  input.control.resize(0);
  x.col(1).segment(9, 3).setZero();
  test::expect_numerical_gradients(*mean, input, x, inputs, 1e-7);
}

// The motion as a function of its residual.
struct ByResidual {
  std::shared_ptr<const Motion> motion;
  Eigen::VectorXd x;

  template <typename T>
  void operator()(const StepInput& input, const T* residual, T* out) const {
    std::vector<T> state(x.begin(), x.end());
    motion->move(input, state.data(), residual, out);
  }
};

TEST(RigidBodyMotion, HasTheNumericalSlopeInItsResidual) {
  RandomInputs inputs(2);
  const StepInput input = imu_input(inputs);
  const auto motion = imu_body();
  ASSERT_EQ(motion->residual_dim(), 6);
  DualMean<ByResidual> mean(6, 12, ByResidual{motion, 0.5 * inputs.vector(kDim)});
  test::expect_numerical_gradients(mean, input, inputs.matrix(6, 3), inputs, 1e-7);
}

TEST(RigidBodyMotion, MovesByItsResidualAsByItsOwnVelocities) {
  RandomInputs inputs(3);
  const RigidBodyMotion motion({});
  StepInput input = step_of(0.4);
  const Eigen::VectorXd residual = inputs.vector(6);
  Vector12 resting = Vector12::Zero(), moving = Vector12::Zero(), out;
  resting.head<6>() = moving.head<6>() = 0.4 * inputs.vector(6);
  moving.tail<6>() = residual;
  motion.move(input, resting.data(), residual.data(), out.data());
  EXPECT_TRUE(all_close(out.head<6>(), moved(motion, input, moving).head<6>(), 1e-14));
  EXPECT_TRUE(out.tail<6>().isZero(0.0));
}

TEST(RigidBodyMotion, DrivesAFullCircleInStepsOfAnyLength) {
  const RigidBodyMotion motion({});
  Vector12 start = Vector12::Zero();
  start[RigidBodyMotion::kVelocity] = 2.0;
  start[RigidBodyMotion::kRate + 2] = 0.5;
  // A quarter of a circle of radius 4: 4 m ahead, 4 m to the left.
  const Vector12 quarter = moved(motion, step_of(std::numbers::pi), start);
  EXPECT_TRUE(all_close(quarter.head<3>(), Eigen::Vector3d(4.0, 4.0, 0.0), 1e-14));
  EXPECT_NEAR(quarter[RigidBodyMotion::kRotation + 2], 0.5 * std::numbers::pi, 1e-14);
  Vector12 x = start;
  for (const double share : {0.1, 0.4, 0.05, 0.45}) {
    x = moved(motion, step_of(share * 4.0 * std::numbers::pi), x);
  }
  EXPECT_TRUE(all_close(x.head<3>(), Eigen::Vector3d::Zero(), 1e-13));
}

TEST(RigidBodyMotion, FollowsQuaternionsThroughFullTurnsAboutEachAxis) {
  RandomStream random(4);
  const RigidBodyMotion motion({});
  for (int axis = 0; axis < 3; ++axis) {
    for (const double direction : {-1.0, 1.0}) {
      Vector12 x = Vector12::Zero();
      x.segment<3>(RigidBodyMotion::kRotation) << 0.3, -0.2, 0.1;
      x[RigidBodyMotion::kRate + axis] = direction;
      StepInput input;
      input.reference = some_orientation(5);
      const Eigen::Matrix3d first = orientation(input.reference, x);
      Eigen::Quaterniond truth(first);
      double left = 2.0 * std::numbers::pi;
      while (left > 0.0) {
        input.dt = std::min(left, 0.5 * random.uniform());
        left -= input.dt;
        truth = truth * Eigen::AngleAxisd(direction * input.dt, Eigen::Vector3d::Unit(axis));
        input.last_reference = input.reference;
        input.reference = motion.next_reference(input, x);
        x = moved(motion, input, x);
        EXPECT_TRUE(
            all_close(x.segment<3>(RigidBodyMotion::kRotation), Eigen::Vector3d::Zero(), 1e-14));
        EXPECT_TRUE(all_close(orientation(input.reference, x), truth.toRotationMatrix(), 1e-13));
        // As after an update: the mean is no longer at the reference.
        const Vector3<double> update =
            0.05 * Eigen::Vector3d(random.normal(), random.normal(), random.normal());
        x.segment<3>(RigidBodyMotion::kRotation) = update;
        truth = truth * rotation_quaternion(update);
        // And back, so that the turn ends where it began.
        input.last_reference = input.reference;
        input.dt = 0.0;
        input.reference = motion.next_reference(input, x);
        x = moved(motion, input, x);
        const Vector3<double> back = -update;
        x.segment<3>(RigidBodyMotion::kRotation) = back;
        truth = truth * rotation_quaternion(back);
      }
      EXPECT_TRUE(all_close(orientation(input.reference, x), first, 1e-12));
    }
  }
}

TEST(RigidBodyMotion, MeansTheSameWhateverTheReference) {
  RandomInputs inputs(6);
  const auto motion = imu_body();
  StepInput input = imu_input(inputs);
  const Eigen::VectorXd x = 0.4 * inputs.vector(kDim);
  Eigen::VectorXd one(kDim), other(kDim);
  motion->move(input, x.data(), nullptr, one.data());
  const Kinematics<double> expected = motion->kinematics(input, one.data());
  input.reference = some_orientation(7);
  motion->move(input, x.data(), nullptr, other.data());
  const Kinematics<double> body = motion->kinematics(input, other.data());
  EXPECT_TRUE(all_close(body.rotation, expected.rotation, 1e-13));
  EXPECT_TRUE(all_close(body.position, expected.position, 1e-13));
  EXPECT_TRUE(all_close(body.velocity, expected.velocity, 1e-13));
}

TEST(RigidBodyMotion, RestsWhereAnImuShowsNothingButGravityAndItsBias) {
  RandomInputs inputs(8);
  const auto motion = imu_body();
  StepInput input = step_of(0.3);
  input.last_reference = input.reference = some_orientation(9);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(kDim);
  x.tail(6) = 0.1 * inputs.vector(6);
  x.head(3) = inputs.vector(3);
  input.control = x.tail(6);
  input.control.tail(3) += input.reference.conjugate() * Eigen::Vector3d(0.0, 0.0, 9.80665);
  Eigen::VectorXd out(12);
  motion->move(input, x.data(), nullptr, out.data());
  EXPECT_TRUE(all_close(out, x.head(12), 1e-13));
}

TEST(RigidBodyMotion, IntegratesAnImuThroughACircle) {
  // Speed 2, radius 4, banked by a constant rate about a tilted axis of the world.
  const auto motion = imu_body();
  const Eigen::Quaterniond start = some_orientation(10);
  const Eigen::Vector3d rate(0.1, -0.2, 0.5);
  const Eigen::Vector3d velocity(2.0, 0.3, -0.1);
  constexpr int kSteps = 2000;
  const double duration = 2.0 * std::numbers::pi / rate.norm();
  StepInput input = step_of(duration / kSteps);
  input.reference = start;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(kDim);
  x.segment(6, 3) = velocity;
  x.segment(9, 3) = rate;
  for (int k = 0; k < kSteps; ++k) {
    const Eigen::Quaterniond middle =
        start * Eigen::AngleAxisd((k + 0.5) * input.dt * rate.norm(), rate.normalized());
    input.control.resize(6);
    input.control << rate,
        rate.cross(velocity) + middle.conjugate() * Eigen::Vector3d(0.0, 0.0, 9.80665);
    input.last_reference = input.reference;
    input.reference = motion->next_reference(input, x);
    Eigen::VectorXd out = x;
    motion->move(input, x.data(), nullptr, out.data());
    x = out;
  }
  // A body of constant twist comes to the same place as one of constant velocity along the axis.
  const Eigen::Vector3d along = velocity.dot(rate) * rate / rate.squaredNorm() * duration;
  EXPECT_TRUE(all_close(x.head(3), start * along, 1e-3));
  EXPECT_TRUE(all_close(x.segment(6, 3), velocity, 1e-4));
  EXPECT_TRUE(
      all_close(orientation(input.reference, x.head<12>()), start.toRotationMatrix(), 1e-9));
}

TEST(RigidBodyMotion, TurnsItsUncertaintyWithTheBody) {
  // Uncertain in roll about the world's x axis; after a quarter turn that is the body's pitch.
  const auto motion = std::make_shared<RigidBodyMotion>(RigidBodyMotion::Parameters{});
  const NonlinearTransition f(make_motion_mean(motion, 12),
                              ProcessNoise{.deviations = Eigen::VectorXd::Constant(12, 1e-8),
                                           .learned_as = std::vector<std::string>(12)});
  Gaussian belief = standard_gaussian(12, CovarianceForm::kFull);
  belief.mean.setZero();
  belief.factor.lower() *= 1e-4;
  belief.factor.lower()(3, 3) = 0.1;
  constexpr int kSteps = 10;
  belief.mean[RigidBodyMotion::kRate + 2] = 0.5 * std::numbers::pi;
  StepInput input = step_of(1.0 / kSteps);
  AffineGaussian line;
  Eigen::MatrixXd covariance = belief.covariance(), scratch;
  for (int k = 0; k < kSteps; ++k) {
    input.last_reference = input.reference;
    input.reference = motion->next_reference(input, belief.mean);
    f.linearise(input, belief, Linearisation::kExpected, line);
    covariance = line.matrix * covariance * line.matrix.transpose() + line.noise.covariance();
    belief.mean = line.matrix * belief.mean + line.offset;
    ASSERT_TRUE(belief.factor.assign_covariance(covariance, scratch));
  }
  EXPECT_NEAR(std::sqrt(covariance(4, 4)), 0.1, 1e-6);
  EXPECT_LT(std::sqrt(covariance(3, 3)), 1e-3);
  const Eigen::Matrix3d R = orientation(input.reference, belief.mean.head<12>());
  const Eigen::Matrix3d world = R * covariance.block<3, 3>(3, 3) * R.transpose();
  EXPECT_NEAR(std::sqrt(world(0, 0)), 0.1, 1e-6);
}

TEST(RigidBodyMotion, ShowsALearnedPartTheVelocitiesOfTheStep) {
  RandomInputs inputs(13);
  const auto motion = imu_body();
  ASSERT_EQ(motion->residual_inputs().size(), 6U);
  EXPECT_EQ(motion->residual_name(5), "yaw");
  const StepInput input = imu_input(inputs);
  const Eigen::VectorXd x = inputs.vector(kDim);
  Eigen::VectorXd values(6);
  motion->residual_input_values(input, x.data(), values.data());
  EXPECT_TRUE(all_close(values.head(3), x.segment(RigidBodyMotion::kVelocity, 3), 0.0));
  EXPECT_TRUE(all_close(values.tail(3), input.control.head(3) - x.segment(12, 3), 1e-15));
}

}  // namespace
}  // namespace ovf
