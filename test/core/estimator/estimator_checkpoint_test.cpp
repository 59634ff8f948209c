#include <gtest/gtest.h>

#include <fstream>

#include "estimator/planar_case.hpp"
#include "evaluation/temporary_folder.hpp"

namespace ovf {
namespace {

using test::circle_messages;
using test::planar_config;
using test::process_all;

TEST(EstimatorCheckpoint, GoesOnAsIfItHadNeverStopped) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "robot.ovf";
  for (const ResidualKind residual : {ResidualKind::kNone, ResidualKind::kFeatures}) {
    EstimatorConfig config = planar_config();
    config.motion.residual = residual;
    config.sensors[0].nu = 4.0;
    config.sensors[0].learn_nu = true;
    const std::vector<Message> messages = circle_messages(30.0, 1.05);
    Estimator one(config);
    Estimator two(config);
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const double elbo = one.process(messages[i]).elbo;
      if (i == messages.size() / 2) {
        one.save(file);
        two.load(file);
      }
      if (i <= messages.size() / 2) continue;
      ASSERT_EQ(two.process(messages[i]).elbo, elbo) << i;
      ASSERT_EQ(one.belief().mean, two.belief().mean) << i;
      ASSERT_EQ(one.belief().factor.lower(), two.belief().factor.lower()) << i;
      ASSERT_EQ(one.filter().parameters(), two.filter().parameters()) << i;
    }
  }
}

// Whoever restores a belief does not know what the robot did meanwhile.
TEST(EstimatorCheckpoint, IsAsUncertainAfterAGapAsTheRobotCouldHaveMoved) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "robot.ovf";
  const std::vector<Message> messages = circle_messages(30.0);
  Estimator one(planar_config());
  process_all(one, messages);
  one.save(file);
  double last = 0.0;
  for (const double gap : {10.0, 60.0, 413.0, 3600.0}) {
    Estimator two(planar_config());
    two.load(file);
    const Eigen::Vector2d before = two.belief().mean.head<2>();
    const Stamp now = test::at_seconds(30.0 + gap);
    two.process(Control{now, Eigen::Vector2d(1.0, 0.0)}, now);
    const double deviation = two.belief().factor.standard_deviations().head<2>().minCoeff();
    EXPECT_GT(deviation, 0.2 * gap) << gap;  // of a robot that drives 1 m/s
    EXPECT_GT(deviation, 2.0 * last) << gap;
    last = deviation;
    // And finds itself at once where it stands.
    for (int k = 1; k <= 20; ++k) {
      const double noise = k % 2 == 0 ? 0.1 : -0.1;
      two.process(test::gps(30.0 + gap + 0.1 * k, before.x() + 2.5 + noise, before.y() + 0.01 * k));
    }
    EXPECT_NEAR(two.belief().mean[0], before.x() + 2.5, 0.6) << gap;
  }
}

TEST(EstimatorCheckpoint, GoesOnFromAnotherOneWithOtherValues) {
  const std::vector<Message> messages = circle_messages(20.0, 1.05);
  Estimator one(planar_config());
  process_all(one, messages);
  EstimatorConfig config = planar_config();
  config.sensors[0].offset_x.value = 0.3;
  Estimator two(config);
  two.go_on_from(one);
  EXPECT_EQ(two.belief().mean, one.belief().mean);
  EXPECT_EQ(two.filter().parameters(), one.filter().parameters());
  EXPECT_EQ(two.counters().of(Outcome::kUsed), one.counters().of(Outcome::kUsed));
  // From here on they differ: the one's antenna is elsewhere.
  const Eigen::VectorXd& mean = one.belief().mean;
  const Measurement next = test::gps(20.5, mean[0] + 0.1, mean[1]);
  one.process(next);
  two.process(next);
  EXPECT_NE(two.belief().mean, one.belief().mean);

  config.sensors.pop_back();
  Estimator three(config);
  EXPECT_THROW(three.go_on_from(one), std::invalid_argument);
  EXPECT_FALSE(three.initialised());
}

TEST(EstimatorCheckpoint, RefusesTheFileOfAnotherRobotAndKeepsItsState) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "robot.ovf";
  Estimator one(planar_config());
  process_all(one, circle_messages(5.0));
  one.save(file);

  EstimatorConfig other = planar_config();
  other.sensors.pop_back();
  Estimator two(other);
  two.process(test::gps(0.0, 1.0, 2.0));
  const Eigen::VectorXd mean = two.belief().mean;
  try {
    two.load(file);
    FAIL() << "the file was taken";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("compass"), std::string::npos) << error.what();
  }
  EXPECT_EQ(two.belief().mean, mean);
}

TEST(EstimatorCheckpoint, RefusesADamagedFileAndKeepsItsState) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "robot.ovf";
  Estimator estimator(planar_config());
  process_all(estimator, circle_messages(5.0));
  estimator.save(file);
  {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(-100, std::ios::end);
    stream.put('!');
  }
  const Eigen::VectorXd mean = estimator.belief().mean;
  EXPECT_THROW(estimator.load(file), std::runtime_error);
  EXPECT_THROW(estimator.load(folder.path() / "nothing.ovf"), std::runtime_error);
  EXPECT_EQ(estimator.belief().mean, mean);
}

}  // namespace
}  // namespace ovf
