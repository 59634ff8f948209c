#include "ovf/model/sigma_point_mean.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "math/random_inputs.hpp"
#include "ovf/model/function_mean.hpp"
#include "ovf/model/linear_sensor.hpp"
#include "ovf/model/sensor.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

std::unique_ptr<MeanFunction> function(int inputs, double (*value)(const Eigen::VectorXd&)) {
  return std::make_unique<FunctionMean>(FunctionMean::Spec{
      .input_dim = inputs,
      .output_dim = 1,
      .value = [value](const Eigen::VectorXd& x, const Eigen::VectorXd& /*theta*/,
                       const StepInput& /*input*/) -> Eigen::VectorXd {
        return Eigen::VectorXd::Constant(1, value(x));
      }});
}

Gaussian gaussian(const Eigen::VectorXd& mean, double deviation) {
  return {mean, CovarianceFactor(static_cast<int>(mean.size()), CovarianceForm::kFull, deviation)};
}

TEST(SigmaPointMean, IsExactForALinearMean) {
  RandomInputs inputs(1);
  const Gaussian x = inputs.gaussian(4, CovarianceForm::kFull);
  const SigmaPointMean mean(make_selecting_sensor_mean(4, {2, 0}));
  Eigen::VectorXd value;
  Eigen::MatrixXd slope;
  Eigen::MatrixXd error;
  Eigen::MatrixXd jacobian;
  mean.moments({}, x, value, slope, error);
  mean.jacobian({}, x.mean, jacobian);
  EXPECT_TRUE(all_close(value, Eigen::Vector2d(x.mean[2], x.mean[0]), 1e-12));
  EXPECT_TRUE(all_close(slope, jacobian, 1e-12));
  EXPECT_LT(error.norm(), 1e-12);
}

TEST(SigmaPointMean, KnowsTheMomentsOfASquare) {
  const SigmaPointMean mean(function(1, [](const Eigen::VectorXd& x) { return x[0] * x[0]; }));
  Eigen::VectorXd value;
  Eigen::MatrixXd slope;
  Eigen::MatrixXd error;
  mean.moments({}, gaussian(Eigen::VectorXd::Constant(1, 3.0), 0.5), value, slope, error);
  EXPECT_NEAR(value[0], 9.25, 1e-12);
  EXPECT_NEAR(slope(0, 0), 6.0, 1e-12);
  EXPECT_NEAR(error(0, 0), 2.0 * std::pow(0.5, 4), 1e-12);
}

TEST(SigmaPointMean, AveragesAnglesOnOneSideOfHalfATurn) {
  // The bearing of a place straight behind: points to its left and right differ by a turn.
  const auto bearing = [](const Eigen::VectorXd& x) { return std::atan2(x[1], x[0]); };
  const Gaussian behind = gaussian(Eigen::Vector2d(-1.0, 0.0), 0.05);
  Eigen::VectorXd value;
  Eigen::MatrixXd slope;
  SigmaPointMean(function(2, bearing), {true}).expectation({}, behind, value, slope);
  EXPECT_NEAR(value[0], std::numbers::pi, 1e-6);
  EXPECT_NEAR(slope(0, 1), -1.0, 0.01);
  SigmaPointMean(function(2, bearing)).expectation({}, behind, value, slope);
  EXPECT_LT(value[0], 0.9 * std::numbers::pi);
}

TEST(SigmaPointMean, RefusesWhatDoesNotFit) {
  EXPECT_THROW(SigmaPointMean(nullptr), std::invalid_argument);
  EXPECT_THROW(SigmaPointMean(make_selecting_sensor_mean(2, {0}), {true, false}),
               std::invalid_argument);
  const auto sensor = [](double nu, bool learn) {
    SensorNoise noise;
    noise.scales = Eigen::VectorXd::Ones(1);
    noise.nu = nu;
    noise.learn_scales = learn;
    return Sensor(
        {"s", std::make_unique<SigmaPointMean>(make_selecting_sensor_mean(2, {0})), noise, {}});
  };
  EXPECT_NO_THROW(sensor(0.0, false));
  EXPECT_THROW(sensor(4.0, false), std::invalid_argument);
  EXPECT_THROW(sensor(0.0, true), std::invalid_argument);
}

}  // namespace
}  // namespace ovf
