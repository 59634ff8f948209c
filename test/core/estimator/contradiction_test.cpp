#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "estimator/planar_case.hpp"
#include "ovf/estimator/findings.hpp"

namespace ovf {
namespace {

using test::at_seconds;
using test::planar_config;

/// A robot that drives straight on along x at 1 m/s, with odometry at 10 Hz and a compass at 5 Hz,
/// while its GNSS at 5 Hz says where it is plus what an attack adds.
class Drive {
 public:
  using Attack = std::function<Eigen::Vector2d(double t)>;

  explicit Drive(const EstimatorConfig& config) : estimator(config) {}

  void to(
      double end, const Attack& attack = [](double) { return Eigen::Vector2d(0.0, 0.0); },
      const Attack& beacon = {}) {
    Eigen::MatrixXd z(4, 1);
    for (; k_ <= std::lround(10.0 * end); ++k_) {
      const double t = 0.1 * static_cast<double>(k_);
      random_.fill_normal(z);
      see(Control{at_seconds(t), Eigen::Vector2d(1.0, 0.0)}, t);
      if (k_ % 2 == 0) {
        const Eigen::Vector2d place = Eigen::Vector2d(t, 0.0) + 0.3 * z.topRows(2);
        see(Measurement{.stamp = at_seconds(t) + 1, .sensor = "gps", .y = place + attack(t)}, t);
      } else {
        see(Measurement{.stamp = at_seconds(t) + 1,
                        .sensor = "compass",
                        .y = Eigen::VectorXd::Constant(1, 0.05 * z(2, 0))},
            t);
        if (beacon) {
          const Eigen::Vector2d place = Eigen::Vector2d(t, 0.0) + 0.1 * z.bottomRows(2);
          see(Measurement{.stamp = at_seconds(t) + 2, .sensor = "uwb", .y = place + beacon(t)}, t);
        }
      }
    }
  }

  double error() const { return (place() - truth_).norm(); }
  Eigen::Vector2d place() const { return estimator.belief().mean.head<2>(); }
  /// Largest of x and y.
  double deviations_off() const {
    const Eigen::VectorXd deviations = estimator.belief().factor.standard_deviations();
    return ((place() - truth_).array() / deviations.head<2>().array()).abs().maxCoeff();
  }

  Estimator estimator;
  double first_told = -1.0;  ///< that sensors contradict
  int told = 0;
  int other = -2;
  /// Most standard deviations off before that was told, and while it had been told of late.
  double most_off_silently = 0.0;

 private:
  void see(const Message& message, double t) {
    truth_ = Eigen::Vector2d(t, 0.0);
    const EstimatorResult& result = estimator.process(message);
    for (const Event& event : result.events) {
      if (event.kind != EventKind::kSensorsContradict) continue;
      if (first_told < 0.0) first_told = t;
      last_told_ = t;
      other = event.other;
      ++told;
    }
    if (t > last_told_ + 10.0) off_since_ = deviations_off() > 3.0 ? std::min(off_since_, t) : 1e9;
    if (t > last_told_ + 10.0 && t > off_since_ + 2.0) {
      most_off_silently = std::max(most_off_silently, deviations_off());
    }
  }

  int k_ = 1;
  Eigen::Vector2d truth_ = Eigen::Vector2d::Zero();
  double last_told_ = -1e9;
  double off_since_ = 1e9;
  RandomStream random_{5, 71};
};

EstimatorConfig with_beacons() {
  EstimatorConfig config = planar_config();
  config.sensors.push_back({.name = "uwb", .kind = SensorKind::kPosition, .noise = {0.1}});
  config.sensors.back().error_time = 0.0;
  return config;
}

Drive::Attack jump(double begin, double end, double distance) {
  return [=](double t) {
    return t > begin && t <= end ? Eigen::Vector2d(0.6 * distance, 0.8 * distance)
                                 : Eigen::Vector2d(0.0, 0.0);
  };
}

TEST(Contradiction, AJumpIsToldOfAtOnceAndNotBelieved) {
  for (const double distance : {10.0, 50.0, 1000.0}) {
    Drive drive(planar_config());
    drive.to(30.0);
    EXPECT_EQ(drive.told, 0);
    drive.to(34.0, jump(30.0, 60.0, distance));
    EXPECT_GT(drive.first_told, 30.0) << distance;
    EXPECT_LT(drive.first_told, 32.0) << distance;
    EXPECT_EQ(drive.other, 1);  // the compass agreed
    EXPECT_LT(drive.deviations_off(), 3.0) << distance;
    EXPECT_LT(drive.error(), 0.3 * distance) << distance;
    drive.to(60.0, jump(30.0, 60.0, distance));
    drive.to(70.0);
    EXPECT_LT(drive.error(), 1.0) << distance;
    EXPECT_LT(drive.deviations_off(), 3.0) << distance;
  }
}

TEST(Contradiction, AGlitchOfSecondsLeavesNothingBehind) {
  Drive drive(planar_config());
  drive.to(30.0);
  drive.to(33.0, jump(30.0, 33.0, 1000.0));
  EXPECT_GT(drive.told, 0);
  EXPECT_LT(drive.deviations_off(), 3.0);
  drive.to(43.0);
  EXPECT_LT(drive.error(), 0.6);
  EXPECT_LT(drive.deviations_off(), 3.0);
  EXPECT_LT(drive.estimator.belief().factor.standard_deviations().head<2>().maxCoeff(), 0.6);
}

TEST(Contradiction, OneThatHasAnotherSensorAgainstItIsNamedWithIt) {
  Drive drive(with_beacons());
  const auto none = [](double) { return Eigen::Vector2d(0.0, 0.0); };
  drive.to(30.0, none, none);
  EXPECT_EQ(drive.told, 0);
  drive.to(60.0, jump(30.0, 60.0, 1000.0), none);
  EXPECT_GT(drive.told, 2);
  EXPECT_LT(drive.first_told, 32.0);
  EXPECT_LT(drive.error(), 1.0);
  drive.to(70.0, none, none);
  EXPECT_LT(drive.error(), 0.5);
  bool found = false;
  for (const std::string& finding : findings(drive.estimator)) {
    found = found || finding.find("gps contradicted") != std::string::npos;
  }
  EXPECT_TRUE(found);
}

TEST(Contradiction, ASensorThatDriftsOffIsTold) {
  Drive drive(with_beacons());
  const auto none = [](double) { return Eigen::Vector2d(0.0, 0.0); };
  drive.to(30.0, none, none);
  const auto drift = [](double t) { return Eigen::Vector2d(0.0, 0.5 * std::max(0.0, t - 30.0)); };
  drive.to(90.0, drift, none);
  EXPECT_GT(drive.told, 0);
  EXPECT_LT(drive.most_off_silently, 3.0);
}

TEST(Contradiction, OutliersAreNone) {
  Drive drive(planar_config());
  RandomStream random(9, 71);
  drive.to(200.0, [&](double) {
    return random.uniform() < 0.1 ? Eigen::Vector2d(30.0, 0.0) : Eigen::Vector2d(0.0, 0.0);
  });
  EXPECT_EQ(drive.told, 0);
  EXPECT_LT(drive.error(), 1.0);
}

TEST(Contradiction, AGateThatRejectsForSecondsIsOne) {
  EstimatorConfig config = planar_config();
  config.sensors[0].gate = 0.999;
  config.sensors[0].learn_noise = false;
  Drive drive(config);
  drive.to(30.0);
  drive.to(32.0, jump(30.0, 60.0, 5.0));
  EXPECT_GT(drive.told, 0);
  EXPECT_LT(drive.deviations_off(), 3.0);
}

// Two receivers publish on one topic, 130 m apart, from the beginning.
TEST(Contradiction, TwoPublishersOfOneTopicAreToldAndNeitherIsBelieved) {
  EstimatorConfig config = planar_config();
  config.motion.control = ControlKind::kNone;
  config.sensors = {{.name = "gps", .kind = SensorKind::kPosition, .noise = {1.0}}};
  config.initial.rule = InitialRule::kMeasurement;
  Estimator estimator(config);
  RandomStream random(3, 71);
  Eigen::MatrixXd z(2, 1);
  double told = 1e9;
  double off = 0.0;
  for (int k = 1; k <= 900; ++k) {
    random.fill_normal(z);
    Eigen::Vector2d place = z.col(0);
    if (k % 2 == 0) place.x() += 130.0;
    const EstimatorResult& result =
        estimator.process(Measurement{.stamp = at_seconds(0.1 * k), .sensor = "gps", .y = place});
    if (test::has_event(result, EventKind::kSensorsContradict)) told = std::min(told, 0.1 * k);
    const Eigen::VectorXd deviations = estimator.belief().factor.standard_deviations();
    if (k > 20 && k < 300)
      off = std::max(off, std::abs(estimator.belief().mean[0]) / deviations[0]);
  }
  EXPECT_LT(told, 2.0);
  EXPECT_LT(off, 3.0);
  // What scatters for so long is tried again, and told of again.
  EXPECT_GT(estimator.contradiction(0).count, 2);
}

TEST(Contradiction, AWrongInitialPoseIsLeftWithinSeconds) {
  EstimatorConfig config = planar_config();
  config.initial.rule = InitialRule::kCall;
  config.initial.deviations = {0.5};
  for (const double distance : {5.0, 20.0, 2000.0}) {
    Drive drive(config);
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(5);
    mean[1] = distance;
    drive.estimator.initialise(0, mean, 0.25 * Eigen::MatrixXd::Identity(5, 5));
    drive.to(2.0);
    EXPECT_GT(drive.told, 0) << distance;
    EXPECT_LT(drive.deviations_off(), 3.0) << distance;
    drive.to(10.0);
    EXPECT_LT(drive.error(), 1.0) << distance;
    EXPECT_LT(drive.deviations_off(), 3.0) << distance;
  }
}

}  // namespace
}  // namespace ovf
