#include "ovf/estimator/estimator_config.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "estimator/planar_case.hpp"

namespace ovf {
namespace {

std::string mistake_in(const std::string& text) {
  try {
    read_estimator_config(text, "robot.yaml");
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(EstimatorConfig, ComesBackFromItsOwnText) {
  EstimatorConfig config = test::planar_config();
  config.sensors[0].noise = {0.1, 0.25};
  config.sensors[0].bias = {.value = 0.5, .deviation = 1.0, .drift = 0.125};
  config.landmark_ids = {3, 7};
  config.landmark_x = {1.0, 2.0};
  config.landmark_y = {0.1, 0.2};
  config.motion.residual = ResidualKind::kFeatures;
  const std::string text = write_estimator_config(config);
  EXPECT_EQ(write_estimator_config(read_estimator_config(text, "itself")), text);
}

TEST(EstimatorConfig, HasAGroupForEachSensor) {
  const auto config = read_estimator_config(
      "sensors: [front, rear]\nfront: {kind: yaw, noise: [0.1]}\nrear: {kind: velocity, noise: "
      "[0.2], axes: [0]}\n",
      "robot.yaml");
  ASSERT_EQ(config.sensors.size(), 2U);
  EXPECT_EQ(config.sensors[0].name, "front");
  EXPECT_EQ(config.sensors[0].kind, SensorKind::kYaw);
  EXPECT_EQ(config.sensors[1].axes, std::vector<int>{0});
}

TEST(EstimatorConfig, NamesWhatIsWrong) {
  const std::string good = "sensors: [gps]\ngps: {kind: position, noise: [0.1]}\n";
  EXPECT_EQ(mistake_in(good), "");
  EXPECT_NE(mistake_in(good + "gsp: {}\n").find("gsp"), std::string::npos);
  EXPECT_NE(mistake_in("sensors: [gps]\ngps: {kind: position, nose: [0.1]}\n").find("gps.noise"),
            std::string::npos);
  EXPECT_NE(mistake_in("sensors: []\n").find("sensors"), std::string::npos);
  EXPECT_NE(mistake_in("sensors: [gps]\n").find("gps.noise"), std::string::npos);
  EXPECT_NE(mistake_in("sensors: [motion]\n").find("motion"), std::string::npos);
  EXPECT_NE(mistake_in("sensors: [gps, gps]\n").find("sensors"), std::string::npos);
  EXPECT_NE(mistake_in("sensors: [\"a b\"]\n").find("sensors"), std::string::npos);
  EXPECT_NE(
      mistake_in(good + "landmarks: {ids: [1, 2], x: [0.0], y: [0.0, 1.0]}\n").find("landmarks.x"),
      std::string::npos);
  EXPECT_NE(mistake_in(good + "landmarks: {ids: [1, 1], x: [0.0, 1.0], y: [0.0, 1.0]}\n")
                .find("landmarks.ids"),
            std::string::npos);
  EXPECT_NE(mistake_in(good + "motion: {kind: constant_velocity, control: odometry}\n")
                .find("motion.control"),
            std::string::npos);
  EXPECT_NE(mistake_in(good + "motion: {kind: joints, control: none}\n").find("motion.joints"),
            std::string::npos);
  EXPECT_NE(mistake_in(good + "motion: {kind: planar, control: attitude}\n").find("motion.control"),
            std::string::npos);
  const std::string multirotor = good + "motion: {kind: rigid_body, control: body_rate";
  EXPECT_EQ(mistake_in(multirotor + "}\n"), "");
  EXPECT_NE(
      mistake_in(multirotor + ", thrust_scale: {value: 0.0}}\n").find("motion.thrust_scale.value"),
      std::string::npos);
  EXPECT_NE(
      mistake_in(multirotor + ", attitude_lag: {value: 0.0}}\n").find("motion.attitude_lag.value"),
      std::string::npos);
  EXPECT_NE(
      mistake_in(multirotor + "}\noutput: {rollout_plan: zero}\n").find("output.rollout_plan"),
      std::string::npos);
  EXPECT_NE(mistake_in("sensors: [gps]\ngps: {kind: position, noise: [-1.0]}\n").find("gps.noise"),
            std::string::npos);
}

TEST(EstimatorConfig, EstimatorRefusesSizesThatDoNotFit) {
  EstimatorConfig config = test::planar_config();
  config.sensors[0].noise = {0.1, 0.1, 0.1};
  EXPECT_THROW(Estimator{config}, std::invalid_argument);
  config = test::planar_config();
  config.initial.mean = {1.0, 2.0};
  EXPECT_THROW(Estimator{config}, std::invalid_argument);
  config = test::planar_config();
  config.sensors[0].kind = SensorKind::kRange;
  config.sensors[0].noise = {0.1};
  EXPECT_THROW(Estimator{config}, std::invalid_argument);  // no landmarks
}

// A robot of a file with these keys of its motion and of a sensor `it`.
StateLayout layout_of(const std::string& motion, const std::string& sensor) {
  const auto config = read_estimator_config(
      "sensors: [it]\nmotion: {" + motion + "}\nit: {noise: [0.1], " + sensor + "}\n",
      "robot.yaml");
  return Estimator(config).layout();
}

TEST(EstimatorConfig, LatencyOfASensorOfPlaceIsLearnedUnlessTheFileSaysOtherwise) {
  const StateLayout learned = layout_of("kind: planar", "kind: position");
  const int latency = learned.find("it.latency");
  ASSERT_GE(latency, 0);
  EXPECT_EQ(learned.entry(latency).deviation, 0.1);
  EXPECT_LT(
      layout_of("kind: planar", "kind: position, latency: {deviation: 0.0}").find("it.latency"), 0);
  EXPECT_LT(layout_of("kind: planar", "kind: turn_rate").find("it.latency"), 0);
}

TEST(EstimatorConfig, LatencyIsHeldWhereNothingMeasuresTheMotion) {
  const std::string still = "kind: planar, control: none";
  EXPECT_LT(layout_of(still, "kind: position").find("it.latency"), 0);
  EXPECT_LT(layout_of(still, "kind: position, latency: {deviation: 0.3}").find("it.latency"), 0);
}

TEST(EstimatorConfig, WanderingOfVelocitiesIsLearnedWhereErrorsOfTheMotionLast) {
  const auto learns = [](const std::string& motion) {
    const Estimator estimator(read_estimator_config(
        "sensors: [it]\nmotion: {" + motion + "}\nit: {kind: position, noise: [0.1]}\n",
        "robot.yaml"));
    const std::vector<ParameterEstimate> all = estimator.parameters();
    return std::any_of(all.begin(), all.end(), [](const ParameterEstimate& parameter) {
      return parameter.name == "motion.noise.velocity";
    });
  };
  EXPECT_TRUE(learns("kind: planar, error_time: 0.3"));
  EXPECT_FALSE(learns("kind: planar"));
}

TEST(EstimatorConfig, EveryMotionAndSensorCanBeMade) {
  struct Case {
    MotionKind motion;
    ControlKind control;
    std::vector<SensorKind> sensors;
  };
  using enum SensorKind;
  const std::vector<Case> cases = {
      {MotionKind::kPlanar,
       ControlKind::kCommand,
       {kPose, kPosition, kVelocity, kYaw, kTurnRate, kRange, kRangeBearing, kLinear}},
      {MotionKind::kConstantVelocity,
       ControlKind::kNone,
       {kPosition, kAltitude, kVelocity, kRange, kLinear}},
      {MotionKind::kConstantAcceleration, ControlKind::kNone, {kPosition, kVelocity}},
      {MotionKind::kRigidBody,
       ControlKind::kImu,
       {kPose, kPosition, kAltitude, kVelocity, kYaw, kTurnRate, kRange}},
      {MotionKind::kRigidBody, ControlKind::kNone, {kPose, kImu}},
      {MotionKind::kRigidBody, ControlKind::kAttitude, {kPose, kTurnRate, kImu}},
      {MotionKind::kRigidBody, ControlKind::kBodyRate, {kPosition, kYaw, kImu}},
      {MotionKind::kJoints, ControlKind::kCommand, {kJointPositions, kJointVelocities}},
  };
  for (const Case& each : cases) {
    EstimatorConfig config;
    config.motion.kind = each.motion;
    config.motion.control = each.control;
    if (each.motion == MotionKind::kJoints) config.motion.joints = {"shoulder", "elbow"};
    config.motion.gyro_bias.deviation = 0.01;
    config.landmark_ids = {1};
    config.landmark_x = {3.0};
    config.landmark_y = {4.0};
    const std::size_t states = each.motion == MotionKind::kPlanar ? 5 : 6;
    for (const SensorKind kind : each.sensors) {
      SensorConfig sensor{
          .name = "s" + std::to_string(static_cast<int>(kind)), .kind = kind, .noise = {0.1}};
      if (kind == kLinear) sensor.matrix.assign(states, 1.0);
      config.sensors.push_back(sensor);
    }
    Estimator estimator(config);
    const auto& names = estimator.config().sensors;
    for (std::size_t i = 0; i < names.size(); ++i) {
      StepInput input;
      input.sensor = static_cast<int>(i);
      int dim = estimator.filter().model().observation(input).observation_dim();
      Eigen::VectorXd y = Eigen::VectorXd::Constant(dim, 0.1);
      if (names[i].kind == kPose && each.motion == MotionKind::kRigidBody) {
        y.resize(7);
        y << 0.1, 0.1, 0.1, 0.0, 0.0, 0.1, 1.0;
      }
      const Measurement measurement{
          test::at_seconds(0.1 * static_cast<double>(i)), names[i].name, y, {}, 1};
      EXPECT_EQ(estimator.process(measurement).outcome, Outcome::kUsed) << names[i].name;
    }
  }
}

}  // namespace
}  // namespace ovf
