#include "ovf/model/sensor_suite.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numbers>

#include "math/random_inputs.hpp"
#include "ovf/model/linear_sensor.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::contains;
using test::message_of;
using test::RandomInputs;

constexpr int kDim = 3;

std::unique_ptr<Sensor> sensor(const std::string& name, const std::vector<int>& indices, double nu,
                               bool learned = true, int state_dim = kDim) {
  SensorNoise noise;
  noise.scales = Eigen::VectorXd::LinSpaced(static_cast<Eigen::Index>(indices.size()), 0.5, 1.0);
  noise.learn_scales = learned;
  noise.nu = nu;
  noise.learn_nu = learned && nu > 0.0;
  return std::make_unique<Sensor>(
      Sensor::Spec{name, make_selecting_sensor_mean(state_dim, indices), noise, {}});
}

SensorSuite three_sensors() {
  std::vector<std::unique_ptr<Sensor>> sensors;
  sensors.push_back(sensor("gnss", {0, 1}, 5.0));
  sensors.push_back(sensor("known", {2}, 0.0, false));
  sensors.push_back(sensor("yaw", {2}, 0.0));
  return SensorSuite(std::move(sensors));
}

StepInput from(int which) {
  StepInput input;
  input.sensor = which;
  return input;
}

TEST(SensorSuite, LearnsTheParametersOfAllItsSensors) {
  const SensorSuite suite = three_sensors();
  ASSERT_EQ(suite.parameters().size(), 4);
  EXPECT_EQ(suite.parameters().info(0).name, "gnss.noise[0]");
  EXPECT_EQ(suite.parameters().info(2).name, "gnss.nu");
  EXPECT_EQ(suite.parameters().info(3).name, "yaw.noise");
}

TEST(SensorSuite, IsTheSensorThatHasSpoken) {
  RandomInputs inputs(1);
  const SensorSuite suite = three_sensors();
  const Eigen::MatrixXd x = inputs.matrix(kDim, 4);
  const Gaussian q = inputs.gaussian(kDim, CovarianceForm::kFull);
  for (int i = 0; i < suite.count(); ++i) {
    const StepInput input = from(i);
    suite.bind(input);
    const Sensor& alone = suite.sensor(i);
    ASSERT_EQ(suite.observation_dim(), alone.observation_dim());
    const Eigen::VectorXd y = inputs.vector(alone.observation_dim());
    Eigen::VectorXd values, expected_values;
    Eigen::MatrixXd gradient, expected_gradient;
    suite.log_density(y, x, values);
    alone.log_density(y, x, expected_values);
    EXPECT_TRUE(all_close(values, expected_values, 0.0));
    suite.gradient(y, x, gradient);
    alone.gradient(y, x, expected_gradient);
    EXPECT_TRUE(all_close(gradient, expected_gradient, 0.0));
    ExpectedDerivatives derivatives, expected_derivatives;
    suite.expected_derivatives(y, q, derivatives);
    alone.expected_derivatives(y, q, expected_derivatives);
    EXPECT_EQ(derivatives.value, expected_derivatives.value);
    EXPECT_TRUE(all_close(derivatives.curvature, expected_derivatives.curvature, 0.0));
  }
}

TEST(SensorSuite, ScoresOnlyTheSensorThatHasSpoken) {
  RandomInputs inputs(2);
  const SensorSuite suite = three_sensors();
  const Eigen::MatrixXd x = inputs.matrix(kDim, 4);
  const AffineVariable at{inputs.vector(kDim), inputs.factor(kDim, CovarianceForm::kFull).lower(),
                          Eigen::MatrixXd::Zero(kDim, 0)};
  constexpr int kFirsts[] = {0, 3, 3};
  for (int i = 0; i < suite.count(); ++i) {
    const StepInput input = from(i);
    suite.bind(input);
    const Sensor& alone = suite.sensor(i);
    const Eigen::VectorXd y = inputs.vector(alone.observation_dim());
    const int count = alone.parameters().size();
    Eigen::MatrixXd scores = inputs.matrix(4, 4), own(count, 4);
    suite.scores(y, x, scores);
    alone.scores(y, x, own);
    Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(4, 4);
    expected.middleRows(kFirsts[i], count) = own;
    EXPECT_TRUE(all_close(scores, expected, 0.0));

    QuadraticFunctions all(kDim, 5), single(kDim, count);
    all.set_zero();
    single.set_zero();
    suite.expected_scores(y, at, 1, all);
    alone.expected_scores(y, at, 0, single);
    Eigen::VectorXd constant = Eigen::VectorXd::Zero(5);
    constant.segment(1 + kFirsts[i], count) = single.constant();
    EXPECT_TRUE(all_close(all.constant(), constant, 0.0));
    EXPECT_EQ(all.linear().norm() > 0.0, count > 0);
  }
}

TEST(SensorSuite, HandsParametersToTheirSensors) {
  SensorSuite suite = three_sensors();
  suite.set_parameters(Eigen::Vector4d(0.1, 0.2, 7.0, 0.4));
  EXPECT_TRUE(all_close(suite.parameters().values(), Eigen::Vector4d(0.1, 0.2, 7.0, 0.4), 0.0));
  EXPECT_TRUE(
      all_close(suite.sensor(0).parameters().values(), Eigen::Vector3d(0.1, 0.2, 7.0), 0.0));
  // The density of the third follows its noise.
  const StepInput input = from(2);
  suite.bind(input);
  Eigen::VectorXd value;
  suite.log_density(Eigen::VectorXd::Zero(1), Eigen::MatrixXd::Zero(kDim, 1), value);
  EXPECT_NEAR(value[0], -0.5 * std::log(2.0 * std::numbers::pi) - std::log(0.4), 1e-14);
}

TEST(SensorSuite, RefusesNoSensorsTwoNamesAlikeAndDifferentStates) {
  EXPECT_TRUE(contains(message_of([] { SensorSuite({}); }), "none is given"));
  const auto two = [](std::unique_ptr<Sensor> a, std::unique_ptr<Sensor> b) {
    std::vector<std::unique_ptr<Sensor>> sensors;
    sensors.push_back(std::move(a));
    sensors.push_back(std::move(b));
    return message_of([&] { SensorSuite suite(std::move(sensors)); });
  };
  EXPECT_TRUE(
      contains(two(sensor("a", {0}, 0.0), sensor("b", {0}, 0.0, true, 4)), "b sees a state of 4"));
  EXPECT_TRUE(contains(two(sensor("a", {0}, 0.0), sensor("a", {1}, 0.0)), "a.noise"));
}

}  // namespace
}  // namespace ovf
