// Methods to compare with must do what their names say.
#include "ovf/estimator/config_of_method.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "estimator/planar_case.hpp"
#include "ovf/filter/kalman_filter.hpp"

namespace ovf {
namespace {

using test::at_seconds;
using test::circle_messages;
using test::planar_config;
using test::process_all;

const ParameterEstimate* find(const std::vector<ParameterEstimate>& all, const std::string& name) {
  for (const ParameterEstimate& parameter : all) {
    if (parameter.name == name) return &parameter;
  }
  return nullptr;
}

/// A planar robot that measures ranges to a beacon, 2 m ahead of where it believes to be.
EstimatorConfig range_config() {
  EstimatorConfig config;
  config.motion.control = ControlKind::kNone;
  config.initial.deviations = {1.0, 1.0, 0.3, 0.1, 0.1};
  config.sensors = {{.name = "uwb", .kind = SensorKind::kRange, .noise = {0.1}}};
  config.sensors[0].bias = {.value = 0.0, .deviation = 0.2};
  config.landmark_ids = {7};
  config.landmark_x = {2.0};
  config.landmark_y = {0.0};
  return config;
}

class BaselineTest : public testing::TestWithParam<std::string> {};

TEST_P(BaselineTest, EstimatesWhatHasADeviationAndLearnsNoNoise) {
  EstimatorConfig config = planar_config();
  config.sensors[0].noise = {0.6};  // twice the true one
  Estimator estimator(config_of_method(GetParam(), config));
  process_all(estimator, circle_messages(60.0, 1.08));
  const auto parameters = estimator.parameters();
  const ParameterEstimate* scale = find(parameters, "motion.scale");
  ASSERT_NE(scale, nullptr);
  EXPECT_NEAR(scale->value, 1.08, 0.02);
  EXPECT_LT(scale->deviation, 0.02);
  const ParameterEstimate* noise = find(parameters, "gps.noise[0]");
  if (noise != nullptr) {
    EXPECT_EQ(noise->value, 0.6);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, BaselineTest, testing::Values("no-learn", "ekf", "ukf"));

TEST(ConfigOfMethod, LeavesWhatIsConfiguredAsItIs) {
  const std::string text = write_estimator_config(planar_config());
  EXPECT_EQ(write_estimator_config(config_of_method("ovf", planar_config())), text);
  EstimatorConfig plain = config_of_method("no-learn", planar_config());
  EXPECT_EQ(plain.filter.learning.rule, LearningRule::kNone);
  plain.filter.learning.rule = planar_config().filter.learning.rule;
  EXPECT_EQ(write_estimator_config(plain), text);
}

TEST(ConfigOfMethod, KalmanFiltersHaveGaussianNoiseAndAGate) {
  EstimatorConfig config = planar_config();
  config.motion.residual = ResidualKind::kFeatures;
  config.sensors[0].nu = 4.0;
  config.sensors[0].learn_nu = true;
  config.sensors[1].gate = 0.9;
  for (const char* method : {"ekf", "ukf"}) {
    const EstimatorConfig kalman = config_of_method(method, config);
    EXPECT_EQ(kalman.sensors[0].nu, 0.0);
    EXPECT_EQ(kalman.sensors[0].gate, kKalmanGate);
    EXPECT_EQ(kalman.sensors[1].gate, 0.9);
    EXPECT_EQ(kalman.motion.residual, ResidualKind::kNone);
    EXPECT_EQ(kalman.sigma_points, std::string(method) == "ukf");
    const std::string text = write_estimator_config(kalman);
    EXPECT_EQ(write_estimator_config(read_estimator_config(text, "itself")), text);
    // Nothing but the state.
    EXPECT_EQ(make_robot_model(kalman).state_space.parameters().size(), 0);
  }
}

TEST(ConfigOfMethod, NamesTheMethodsThatThereAre) {
  try {
    config_of_method("enkf", planar_config());
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "method enkf; expected ovf, no-learn, ekf, ukf");
  }
}

TEST(ConfigOfMethod, SigmaPointsGoWithGaussianNoiseAndWithoutLearning) {
  EstimatorConfig config = planar_config();
  config.sigma_points = true;
  EXPECT_THROW(validate(config), std::invalid_argument);
  config.filter.learning.rule = LearningRule::kNone;
  EXPECT_NO_THROW(validate(config));
  config.sensors[1].nu = 4.0;
  EXPECT_THROW(validate(config), std::invalid_argument);
}

// The filter of each method against the textbook recursion on the same model.
void expect_kalman_filter(const std::string& method, Linearisation linearisation) {
  const EstimatorConfig config = config_of_method(method, range_config());
  OnlineVariationalFilter filter(make_robot_model(config).state_space, config.filter);
  KalmanFilter kalman(make_robot_model(config).state_space, linearisation);
  RandomStream random(1, 72);
  Eigen::MatrixXd z(1, 1);
  for (int k = 0; k < 30; ++k) {
    StepInput input;
    input.dt = 0.1;
    random.fill_normal(z);
    const Eigen::VectorXd y = Eigen::VectorXd::Constant(1, 2.5 + 0.1 * z(0, 0));
    const StepResult& result = filter.step(y, input);
    const StepResult& expected = kalman.step(y, input);
    ASSERT_TRUE(result.ok() && expected.ok());
    EXPECT_NEAR(result.nis, expected.nis, 1e-8) << k;
    const Gaussian& a = filter.belief();
    const Gaussian& b = kalman.belief();
    EXPECT_LT((a.mean - b.mean).norm(), 1e-8) << k;
    EXPECT_LT((a.covariance() - b.covariance()).norm(), 1e-8) << k;
  }
}

TEST(ConfigOfMethod, EkfIsTheExtendedKalmanFilter) {
  expect_kalman_filter("ekf", Linearisation::kTangent);
}

TEST(ConfigOfMethod, UkfIsTheUnscentedKalmanFilter) {
  expect_kalman_filter("ukf", Linearisation::kMoments);
}

TEST(ConfigOfMethod, UkfAgreesWithEkfOnALinearModel) {
  EstimatorConfig config;
  config.motion.kind = MotionKind::kConstantVelocity;
  config.motion.control = ControlKind::kNone;
  config.sensors = {{.name = "gps", .kind = SensorKind::kPosition, .noise = {0.3}}};
  Estimator ekf(config_of_method("ekf", config));
  Estimator ukf(config_of_method("ukf", config));
  RandomStream random(3, 73);
  Eigen::MatrixXd z(3, 1);
  for (int k = 1; k <= 100; ++k) {
    random.fill_normal(z);
    const Measurement position{at_seconds(0.1 * k), "gps",
                               Eigen::Vector3d(0.1 * k, 0.0, 1.0) + 0.3 * z};
    ASSERT_EQ(ekf.process(position).outcome, ukf.process(position).outcome);
  }
  EXPECT_LT((ekf.belief().mean - ukf.belief().mean).norm(), 1e-8);
  EXPECT_LT((ekf.belief().covariance() - ukf.belief().covariance()).norm(), 1e-8);
}

TEST(ConfigOfMethod, UkfPredictsARangeThatIsLongerBecauseThePlaceIsUncertain) {
  const auto predicted = [](const std::string& method) {
    Estimator estimator(config_of_method(method, range_config()));
    const Measurement range{.stamp = at_seconds(1.0),
                            .sensor = "uwb",
                            .y = Eigen::VectorXd::Constant(1, 2.0),
                            .target = 7};
    return 2.0 - estimator.process(range).innovation[0];
  };
  // E|(2, 0) - p| for p ~ N(0, I), by sampling.
  RandomStream random(5, 74);
  Eigen::MatrixXd places(2, 100'000);
  random.fill_normal(places);
  places.row(0).array() -= 2.0;
  const double expected = places.colwise().norm().mean();
  EXPECT_NEAR(predicted("ekf"), 2.0, 1e-5);
  EXPECT_NEAR(predicted("ukf"), expected, 0.3 * (expected - 2.0));
}

}  // namespace
}  // namespace ovf
