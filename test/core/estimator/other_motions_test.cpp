// The estimator with motions other than the planar one, over time.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "estimator/planar_case.hpp"
#include "ovf/estimator/estimator.hpp"
#include "ovf/math/random.hpp"
#include "ovf/math/rotation.hpp"

namespace ovf {
namespace {

using test::at_seconds;

ParameterEstimate parameter(const Estimator& estimator, const std::string& name) {
  for (const ParameterEstimate& p : estimator.parameters()) {
    if (p.name == name) return p;
  }
  ADD_FAILURE() << "no parameter " << name;
  return {};
}

template <int N>
Eigen::Matrix<double, N, 1> noise(RandomStream& random, double deviation) {
  Eigen::MatrixXd z(N, 1);
  random.fill_normal(z);
  return deviation * z;
}

/// A body on a climbing circle, its nose along the path, an IMU that is biased.
struct Flight {
  static constexpr double kRadius = 10.0;
  static constexpr double kTurn = 0.3;
  static constexpr double kClimb = 0.2;
  Eigen::Vector3d gyro_bias{0.02, -0.01, 0.03};
  Eigen::Vector3d accelerometer_bias{0.1, -0.2, 0.15};

  static Eigen::Vector3d position(double t) {
    return {kRadius * std::sin(kTurn * t), kRadius * (1.0 - std::cos(kTurn * t)), kClimb * t};
  }
  static Eigen::Quaterniond orientation(double t) {
    return Eigen::Quaterniond(Eigen::AngleAxisd(kTurn * t, Eigen::Vector3d::UnitZ()));
  }
  Eigen::VectorXd imu() const {
    Eigen::VectorXd u(6);
    u << Eigen::Vector3d(0.0, 0.0, kTurn) + gyro_bias,
        Eigen::Vector3d(0.0, kRadius * kTurn * kTurn, 9.80665) + accelerometer_bias;
    return u;
  }
};

TEST(EstimatorOfARigidBody, FindsTheBiasesOfItsImuFromPoses) {
  EstimatorConfig config;
  config.motion.kind = MotionKind::kRigidBody;
  config.motion.control = ControlKind::kImu;
  config.motion.gyro_bias = {.value = 0.0, .deviation = 0.05};
  config.motion.accelerometer_bias = {.value = 0.0, .deviation = 0.5};
  config.motion.noise = {.position = 0.01, .angle = 0.005, .velocity = 0.02, .rate = 0.1};
  config.initial.rule = InitialRule::kMeasurement;
  config.initial.deviations = {3.0};
  config.sensors = {{.name = "tracker", .kind = SensorKind::kPose, .noise = {0.05}}};
  Estimator estimator(config);

  const Flight flight;
  RandomStream random(3);
  for (int k = 0; k <= 4000; ++k) {
    const double t = 0.02 * k;
    estimator.process(Control{at_seconds(t), flight.imu()});
    if (k % 10 != 0) continue;
    const Eigen::Quaterniond q =
        Flight::orientation(t) * rotation_quaternion(noise<3>(random, 0.05));
    Eigen::VectorXd y(7);
    y << Flight::position(t) + noise<3>(random, 0.05), q.coeffs();
    ASSERT_TRUE(estimator.process(Measurement{at_seconds(t), "tracker", y}).used());
  }
  const Kinematics<double> body = estimator.body();
  EXPECT_LT((body.position - Flight::position(80.0)).norm(), 0.1);
  const Eigen::Quaterniond turned(body.rotation);
  EXPECT_LT(turned.angularDistance(Flight::orientation(80.0)), 0.05);
  EXPECT_NEAR(body.velocity.x(), Flight::kRadius * Flight::kTurn, 0.1);
  for (int i = 0; i < 3; ++i) {
    const auto gyro = parameter(estimator, "motion.gyro_bias[" + std::to_string(i) + "]");
    EXPECT_NEAR(gyro.value, flight.gyro_bias[i], 4.0 * gyro.deviation);
    EXPECT_LT(gyro.deviation, 0.01);
    const auto force = parameter(estimator, "motion.accelerometer_bias[" + std::to_string(i) + "]");
    EXPECT_NEAR(force.value, flight.accelerometer_bias[i], 4.0 * force.deviation);
    EXPECT_LT(force.deviation, 0.1);
  }
}

TEST(EstimatorOfJoints, FollowsThemAndStatesTheRightUncertainty) {
  EstimatorConfig config;
  config.motion.kind = MotionKind::kJoints;
  config.motion.control = ControlKind::kNone;
  config.motion.joints = {"shoulder", "elbow"};
  config.motion.noise = {.angle = 0.01, .rate = 1.0};
  config.sensors = {{.name = "encoders", .kind = SensorKind::kJointPositions, .noise = {0.1}},
                    {.name = "tachometers", .kind = SensorKind::kJointVelocities, .noise = {0.1}}};
  Estimator estimator(config);

  RandomStream random(5);
  double nees = 0.0;
  int count = 0;
  for (int k = 0; k <= 3000; ++k) {
    const double t = 0.01 * k;
    const Eigen::Vector2d angle(std::sin(t), 0.5 * std::cos(2.0 * t));
    const Eigen::Vector2d rate(std::cos(t), -std::sin(2.0 * t));
    estimator.process(Measurement{at_seconds(t), "encoders", angle + noise<2>(random, 0.02)});
    if (k % 2 == 0) {
      estimator.process(Measurement{at_seconds(t), "tachometers", rate + noise<2>(random, 0.2)});
    }
    if (k < 1000) continue;
    const Eigen::VectorXd error =
        estimator.belief().mean.head(4) - (Eigen::Vector4d() << angle, rate).finished();
    const Eigen::MatrixXd covariance = estimator.belief().factor.covariance().topLeftCorner(4, 4);
    nees += error.dot(covariance.llt().solve(error));
    ++count;
  }
  EXPECT_NEAR(parameter(estimator, "encoders.noise[0]").value, 0.02, 0.004);
  EXPECT_NEAR(parameter(estimator, "tachometers.noise[1]").value, 0.2, 0.04);
  // Four numbers; errors of successive steps are alike, so that 2000 of them leave some room.
  EXPECT_GT(nees / count, 2.0);
  EXPECT_LT(nees / count, 6.0);
}

}  // namespace
}  // namespace ovf
