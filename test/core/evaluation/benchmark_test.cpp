#include "ovf/evaluation/benchmark.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "evaluation/temporary_folder.hpp"
#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/evaluation/localisation.hpp"
#include "ovf/evaluation/robot_log_folder.hpp"
#include "ovf/evaluation/run_evaluation.hpp"
#include "ovf/evaluation/worst_second.hpp"
#include "ovf/recording/replay.hpp"
#include "ovf/recording/robot_log_recording.hpp"
#include "source_folder.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

/// The log and the recording of a simulated robot.
class BenchmarkOfARobot : public testing::Test {
 protected:
  BenchmarkOfARobot() : log_(simulate({}, 30.0)) {
    write_robot_log(root() / "log", log_);
    const RobotLogRecordingOptions options;
    write_recording(root() / "recording", log_, options);
    std::ofstream(root() / "landmarks.yaml") << landmarks_yaml(log_, options.origin);
    std::ofstream(root() / "call.yaml") << "/**:\n  ros__parameters:\n    initial: {rule: call}\n";
  }

  const fs::path& root() const { return folder_.path(); }
  BenchmarkEntry entry() const {
    return {.name = "robot",
            .recording = root() / "recording",
            .configs = {test::config_folder() / "planar_all_sensors.yaml",
                        root() / "landmarks.yaml", root() / "call.yaml"}};
  }
  static std::vector<BenchmarkScore> scores_of(const BenchmarkEntry& entry,
                                               const std::vector<std::string>& methods = {"ovf"}) {
    std::vector<BenchmarkScore> scores;
    run_benchmark_entry(entry, methods, [&](const auto& score) { scores.push_back(score); });
    return scores;
  }

  test::TemporaryFolder folder_;
  RobotLog log_;
};

TEST_F(BenchmarkOfARobot, HasTheFiguresOfReplayAndEvaluation) {
  const auto scores = scores_of(entry());
  ASSERT_EQ(scores.size(), 1u);
  ASSERT_EQ(scores[0].error, "");
  const ReplayOptions options{.config = load_estimator_config(entry().configs),
                              .initial_topic = "/ground_truth"};
  replay(root() / "recording", root() / "run", options);
  const RunRecord record = read_run(root() / "run");
  const RunEvaluation run = evaluate_run(record, read_ground_truth("", root() / "run", record));
  EXPECT_NEAR(scores[0].position_rmse, run.error.position.rmse, 1e-9);
  EXPECT_NEAR(scores[0].nees, 2.0 * run.nees.front().anees, 1e-6);
  EXPECT_EQ(scores[0].numbers, 2);
  EXPECT_EQ(scores[0].coverage90, run.nees.front().coverage90);
  EXPECT_NEAR(scores[0].worst_second, worst_second(run.error.series), 1e-9);
  EXPECT_NEAR(scores[0].attitude_rmse, run.error.yaw.rmse * 180.0 / M_PI, 1e-6);
  EXPECT_GT(scores[0].microseconds, 0.0);
}

TEST_F(BenchmarkOfARobot, HasTheFiguresOfTheLocalisationOfALog) {
  BenchmarkEntry of_log = entry();
  of_log.recording.clear();
  of_log.log = root() / "log";
  const auto scores = scores_of(of_log, {"ovf", "ekf"});
  ASSERT_EQ(scores.size(), 2u);
  for (const BenchmarkScore& score : scores) {
    ASSERT_EQ(score.error, "");
    std::ostringstream silent;
    const Report report =
        localisation(log_, load_estimator_config(of_log.configs), {.method = score.method}, silent);
    EXPECT_EQ(score.position_rmse, report.values.at("position_rmse")) << score.method;
    EXPECT_EQ(score.nees, report.values.at("nees")) << score.method;
    // Its trajectory can be read as one.
    const fs::path tum = root() / "trajectory.tum";
    std::ofstream(tum) << report.files.at("trajectory.tum");
    EXPECT_GT(read_ground_truth(tum.string(), root(), {}).poses.size(), 500u);
    const std::string& csv = report.files.at("trajectory.csv");
    EXPECT_TRUE(csv.starts_with("stamp,x,y,z,qx"));
    EXPECT_GT(std::count(csv.begin(), csv.end(), '\n'), 500);
    EXPECT_NO_THROW(check_report(report));
  }
  EXPECT_NE(scores[0].position_rmse, scores[1].position_rmse);
}

TEST_F(BenchmarkOfARobot, GoesOnAfterABrokenEntry) {
  const auto error_of = [&](BenchmarkEntry broken) {
    const auto scores = scores_of(broken, {"ovf", "ekf"});
    EXPECT_EQ(scores.size(), 1u);
    EXPECT_EQ(scores[0].method, "");
    return scores[0].error;
  };
  const auto expect_error = [&](const BenchmarkEntry& broken, const std::string& words) {
    const std::string error = error_of(broken);
    EXPECT_NE(error.find(words), std::string::npos) << error;
  };
  BenchmarkEntry broken = entry();
  broken.recording = root() / "none";
  expect_error(broken, "none");
  broken = entry();
  broken.configs = {root() / "none.yaml"};
  expect_error(broken, "none.yaml");
  broken = entry();
  broken.ground_truth = "/nothing";
  expect_error(broken, "/nothing");
  broken = entry();
  broken.planar = false;
  expect_error(broken, "motion.kind is planar");
  broken = entry();
  broken.error = "no luck";
  expect_error(broken, "no luck");
  // What is wrong only when it runs is an error of each method.
  broken = entry();
  broken.time_offset = 1e6;
  broken.initial = "/ground_truth";
  const auto scores = scores_of(broken, {"ovf", "magic"});
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_NE(scores[0].error.find("time_offset"), std::string::npos) << scores[0].error;
  EXPECT_NE(scores[1].error.find("magic"), std::string::npos) << scores[1].error;
}

TEST(BenchmarkReport, HasALineForEachScoreAndOneFileOfResults) {
  std::vector<BenchmarkScore> scores(2);
  scores[0].entry = "a, b";
  scores[0].method = "ovf";
  scores[0].position_rmse = 0.5;
  scores[0].nees = 2.5;
  scores[0].numbers = 2;
  scores[1].entry = "bad";
  scores[1].error = "no \"file\"";
  const Report report = benchmark_report(scores);
  EXPECT_NO_THROW(check_report(report));
  ASSERT_EQ(report.tables.front().rows.size(), 2u);
  EXPECT_EQ(report.tables.front().rows[0][3], "2.50 (2)");
  EXPECT_EQ(report.tables.front().rows[1][2], "error: no \"file\"");
  EXPECT_EQ(report.values.at("a, b.ovf.position_rmse"), 0.5);
  const std::string& csv = report.files.at("results.csv");
  EXPECT_NE(csv.find("\n\"a, b\",ovf,0.5,2.5,2,,,,,0,\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\nbad,,,,,,,,,,\"no \"\"file\"\"\"\n"), std::string::npos) << csv;
}

}  // namespace
}  // namespace ovf
