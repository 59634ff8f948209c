#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "math/random_inputs.hpp"
#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/model/body_sensors.hpp"
#include "ovf/model/motion_mean.hpp"
#include "ovf/model/planar_motion.hpp"
#include "ovf/model/rigid_body_motion.hpp"
#include "ovf/model/sensor_suite.hpp"
#include "ovf/model/state_layout.hpp"

namespace ovf {
namespace {

using test::all_close;

constexpr double kGravity = 9.80665;

StateSpaceModel make_model(const StateLayout& layout, std::shared_ptr<const Motion> motion,
                           std::unique_ptr<Sensor> sensor) {
  std::vector<std::unique_ptr<Sensor>> sensors;
  sensors.push_back(std::move(sensor));
  return {layout.prior(),
          std::make_unique<NonlinearTransition>(make_motion_mean(std::move(motion), layout.dim()),
                                                layout.process_noise()),
          std::make_unique<SensorSuite>(std::move(sensors))};
}

// A body that tumbles slowly and drives on a circle, with an IMU whose biases are not known and a
// pose measurement at every tenth step.
class ImuRun {
 public:
  static constexpr double kStep = 0.01;
  static constexpr double kGyroNoise = 0.002;  // rad / s / sqrt(Hz)
  static constexpr double kForceNoise = 0.02;  // m / s^2 / sqrt(Hz)
  static constexpr double kPlaceNoise = 0.03;  // m
  static constexpr double kTurnNoise = 0.02;   // rad

  explicit ImuRun(std::uint64_t seed) : random_(seed) {
    const char* const axes[] = {"x", "y", "z"};
    const RigidBodyMotion plain({});
    const auto add = [&](int first, double deviation, double noise) {
      for (int i = first; i < first + 3; ++i) {
        StateEntry entry;
        entry.name = plain.states()[static_cast<std::size_t>(i)].name;
        entry.deviation = deviation;
        entry.noise = noise;
        layout_.add(entry);
      }
    };
    add(RigidBodyMotion::kPosition, 0.1, 1e-4);
    add(RigidBodyMotion::kRotation, 0.05, kGyroNoise);
    add(RigidBodyMotion::kVelocity, 0.5, kForceNoise);
    add(RigidBodyMotion::kRate, 0.5, 1e-3);
    RigidBodyMotion::Parameters parameters;
    parameters.control = RigidBodyMotion::Control::kImu;
    for (std::size_t i = 0; i < 3; ++i) {
      parameters.gyro_bias[i] =
          layout_.add(std::string("gyro_bias_") + axes[i], {.value = 0.0, .deviation = 0.1});
    }
    for (std::size_t i = 0; i < 3; ++i) {
      parameters.accelerometer_bias[i] =
          layout_.add(std::string("force_bias_") + axes[i], {.value = 0.0, .deviation = 0.3});
    }
    motion_ = std::make_shared<RigidBodyMotion>(parameters);
    SensorNoise noise;
    noise.scales.resize(6);
    noise.scales << kPlaceNoise, kPlaceNoise, kPlaceNoise, kTurnNoise, kTurnNoise, kTurnNoise;
    filter_ = std::make_unique<OnlineVariationalFilter>(
        make_model(layout_, motion_,
                   std::make_unique<Sensor>(Sensor::Spec{
                       "pose", make_sensor_mean(PoseSensor{motion_}, layout_.dim()), noise, {}})),
        OnlineVariationalFilterConfig::fast());
    input_.dt = kStep;
    input_.reference = orientation_;
  }

  void advance(int k) {
    // The truth moves by its twist; the IMU measures it with bias and noise.
    const double time = k * kStep;
    const Eigen::Vector3d rate(0.3 * std::sin(0.7 * time), 0.2 * std::cos(0.5 * time), 0.8);
    const Eigen::Vector3d acceleration(0.5 * std::cos(0.9 * time), 0.4 * std::sin(0.6 * time),
                                       0.1 * std::cos(time));
    const Vector3<double> turn = kStep * rate;
    const Eigen::Quaterniond middle =
        orientation_ * rotation_quaternion(Vector3<double>(0.5 * turn));
    Eigen::VectorXd imu(6);
    imu << rate,
        middle.conjugate() * Eigen::Vector3d(acceleration + kGravity * Eigen::Vector3d::UnitZ());
    position_ += kStep * velocity_ + 0.5 * kStep * kStep * acceleration;
    velocity_ += kStep * acceleration;
    orientation_ = (orientation_ * rotation_quaternion(turn)).normalized();
    imu.head(3) += gyro_bias_ + noise(kGyroNoise / std::sqrt(kStep));
    imu.tail(3) += force_bias_ + noise(kForceNoise / std::sqrt(kStep));

    input_.control = imu;
    if (k > 0) {
      input_.last_reference = input_.reference;
      input_.reference = motion_->next_reference(input_, filter_->belief().mean);
    }
    if (k % 10 != 0) {
      ASSERT_TRUE(filter_->skip(input_).ok());
      return;
    }
    const Eigen::Vector3d place = position_ + noise(kPlaceNoise);
    const Vector3<double> error = noise(kTurnNoise);
    Eigen::VectorXd y(6);
    y << place, relative_rotation(input_, orientation_ * rotation_quaternion(error));
    const StepResult& result = filter_->step(y, input_);
    ASSERT_TRUE(result.ok()) << result.reason;
  }

  /// Of position and orientation, in the order of the state.
  Eigen::VectorXd pose_error() const {
    Eigen::VectorXd error(6);
    const Eigen::VectorXd& mean = filter_->belief().mean;
    error << mean.head(3) - position_, mean.segment(3, 3) - relative_rotation(input_, orientation_);
    return error;
  }
  double pose_nees() const {
    const Eigen::VectorXd error = pose_error();
    const Eigen::MatrixXd covariance = filter_->belief().covariance().topLeftCorner(6, 6);
    return error.dot(covariance.llt().solve(error));
  }
  const Gaussian& belief() const { return filter_->belief(); }
  Eigen::Vector3d gyro_bias() const { return gyro_bias_; }
  Eigen::Vector3d force_bias() const { return force_bias_; }

 private:
  Eigen::Vector3d noise(double deviation) {
    return deviation * Eigen::Vector3d(random_.normal(), random_.normal(), random_.normal());
  }

  RandomStream random_;
  StateLayout layout_;
  std::shared_ptr<const RigidBodyMotion> motion_;
  std::unique_ptr<OnlineVariationalFilter> filter_;
  StepInput input_;
  Eigen::Quaterniond orientation_{Eigen::AngleAxisd(3.0, Eigen::Vector3d::UnitZ())};
  Eigen::Vector3d position_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d velocity_{0.3, -0.2, 0.0};
  Eigen::Vector3d gyro_bias_{0.05, -0.08, 0.1};
  Eigen::Vector3d force_bias_{0.2, -0.1, 0.15};
};

TEST(RigidBodyFilter, FindsTheBiasesOfAnImuWhileTheBodyTumbles) {
  ImuRun run(41);
  double nees = 0.0;
  int count = 0;
  constexpr int kSteps = 6000;  // a minute, seven and a half turns of yaw
  for (int k = 0; k < kSteps; ++k) {
    ASSERT_NO_FATAL_FAILURE(run.advance(k));
    EXPECT_LT(run.pose_error().norm(), 0.25);
    if (k < 1000) continue;
    nees += run.pose_nees();
    ++count;
  }
  // 50 s of errors that stay alike for some tenths of a second: about 100 independent ones of 6
  // numbers, standard error of their mean 0.35.
  EXPECT_NEAR(nees / count, 6.0, 1.5);
  const Eigen::VectorXd deviations = run.belief().factor.standard_deviations();
  const Eigen::VectorXd mean = run.belief().mean;
  EXPECT_LT((mean.segment(12, 3) - run.gyro_bias()).norm(), 0.003);
  EXPECT_LT((mean.segment(15, 3) - run.force_bias()).norm(), 0.03);
  for (int i = 0; i < 3; ++i) {
    EXPECT_LT(std::abs(mean[12 + i] - run.gyro_bias()[i]), 4.0 * deviations[12 + i]);
    EXPECT_LT(std::abs(mean[15 + i] - run.force_bias()[i]), 4.0 * deviations[15 + i]);
  }
  EXPECT_LT(run.pose_error().tail(3).norm(), 0.05);
}

TEST(PlanarFilter, TakesNoHarmWhenTheMeasuredYawJumpsByATurn) {
  const auto motion = std::make_shared<PlanarMotion>(PlanarMotion::Parameters{});
  StateLayout layout;
  for (const MotionState& state : motion->states()) {
    StateEntry entry;
    entry.name = state.name;
    entry.deviation = 0.1;
    entry.noise = 0.05;
    layout.add(entry);
  }
  SensorNoise noise;
  noise.scales = Eigen::Vector3d(0.05, 0.05, 0.02);
  const PlanarPoseSensor equation{motion};
  OnlineVariationalFilter filter(
      make_model(layout, motion,
                 std::make_unique<Sensor>(Sensor::Spec{"pose", make_sensor_mean(equation, 5), noise,
                                                       equation.angles()})),
      OnlineVariationalFilterConfig::fast());
  RandomStream random(42);
  Eigen::Vector3d pose(0.0, 0.0, 0.0);
  StepInput input;
  input.dt = 0.1;
  input.control = Eigen::Vector2d(1.0, 0.7);
  int jumps = 0;
  double last = 0.0;
  for (int k = 0; k < 500; ++k) {
    if (k > 0) {
      const double heading = pose[2] + 0.035;
      pose += Eigen::Vector3d(0.1 * std::cos(heading), 0.1 * std::sin(heading), 0.07);
    }
    Eigen::VectorXd y = pose + Eigen::Vector3d(0.05 * random.normal(), 0.05 * random.normal(),
                                               0.02 * random.normal());
    y[2] = std::remainder(y[2], 2.0 * std::numbers::pi);
    if (std::abs(y[2] - last) > 3.0) ++jumps;
    last = y[2];
    ASSERT_TRUE(filter.step(y, input).ok());
    // The state's yaw goes on without a jump.
    EXPECT_NEAR(filter.belief().mean[2], pose[2], 0.1);
    EXPECT_LT((filter.belief().mean.head(2) - pose.head(2)).norm(), 0.3);
    EXPECT_LT(filter.record().marginal.gaussian().factor.standard_deviations()[2], 0.1);
  }
  EXPECT_GE(jumps, 5);
}

}  // namespace
}  // namespace ovf
