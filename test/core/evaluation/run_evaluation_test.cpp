#include "ovf/evaluation/run_evaluation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "evaluation/temporary_folder.hpp"
#include "evaluation/test_tracks.hpp"
#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/evaluation/html_page.hpp"
#include "ovf/evaluation/localisation.hpp"
#include "ovf/recording/recording.hpp"
#include "ovf/recording/replay.hpp"
#include "ovf/recording/robot_log_recording.hpp"
#include "source_folder.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

/// A simulated robot that was replayed once, for all tests.
class RunOfARobot : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder;
    const RobotLog log = simulate({}, 60.0);
    const RobotLogRecordingOptions recording;
    write_recording(folder_->path() / "recording", log, recording);
    ReplayOptions options;
    options.config = load_estimator_config(test::config_folder() / "planar_all_sensors.yaml");
    options.config.gnss_origin = {recording.origin.latitude, recording.origin.longitude,
                                  recording.origin.altitude};
    take_landmarks(log, options.config);
    replay(folder_->path() / "recording", run(), options);
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }
  static fs::path run() { return folder_->path() / "run"; }

  static test::TemporaryFolder* folder_;
};
test::TemporaryFolder* RunOfARobot::folder_ = nullptr;

TEST_F(RunOfARobot, IsReadBackWithAllThatItWrote) {
  const RunRecord record = read_run(run());
  EXPECT_EQ(record.name, "run");
  EXPECT_TRUE(record.planar);
  EXPECT_GT(record.poses.size(), 1000u);
  EXPECT_EQ(record.poses.size(), record.relbo.size());
  EXPECT_GT(record.updates.size(), record.poses.size());
  EXPECT_NEAR(static_cast<double>(record.rollouts.size()), 50.0,
              8.0);  // one a second, once it has a course
  EXPECT_EQ(record.rollouts.front().poses.size(), record.rollouts.front().times.size());
  EXPECT_FALSE(record.parameters.empty());
  EXPECT_FALSE(record.events.empty());
  EXPECT_FALSE(record.landmarks.empty());
  EXPECT_GT(record.machine.p99, 0.0);
  EXPECT_EQ(record.machine.edges.size(), record.machine.counts.size() + 1);
  // A recording of an estimator's messages alone will do too.
  const RunRecord live = read_run(run() / "estimates");
  EXPECT_EQ(live.poses.size(), record.poses.size());
}

TEST_F(RunOfARobot, IsOnlyTakenForWholeIfItIs) {
  EXPECT_TRUE(read_run(run()).warnings.empty());
  const fs::path other = folder_->path() / "other";
  const auto warning = [&] {
    const RunRecord record = read_run(other);
    EXPECT_FALSE(record.poses.empty());
    return record.warnings.empty() ? "" : record.warnings.front();
  };
  fs::copy(run(), other, fs::copy_options::recursive);
  // Interrupted; broken off; from before there was a mark; damaged.
  const std::string summary = test::read_text(run() / "summary.json");
  const std::string mark = "\"complete\": true";
  ASSERT_NE(summary.find(mark), std::string::npos);
  std::ofstream(other / "summary.json")
      << std::string(summary).replace(summary.find(mark), mark.size(), "\"complete\": false");
  EXPECT_NE(warning().find("the replay was interrupted after"), std::string::npos);
  fs::remove(other / "summary.json");
  EXPECT_NE(warning().find("the replay was broken off"), std::string::npos);
  std::ofstream(other / "summary.json")
      << std::string(summary).replace(summary.find(mark), mark.size(), "\"old\": true");
  EXPECT_EQ(warning(), "");
  const fs::path estimates = other / "estimates" / "estimates_0.mcap";
  {
    std::fstream file(estimates, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(fs::file_size(estimates) / 2));
    file.write("damage", 6);
  }
  EXPECT_NE(warning().find("chunk at byte"), std::string::npos);
  fs::remove_all(other);
}

TEST_F(RunOfARobot, RefusesTruthThatIsNotFinite) {
  const fs::path file = folder_->path() / "truth.csv";
  for (const char* value : {"nan", "inf", "-inf", "1e999"}) {
    std::ofstream(file) << "stamp,x,y,yaw\n1,0,0,0\n2,0," << value << ",0\n";
    try {
      read_ground_truth(file.string(), run(), {});
      ADD_FAILURE() << value;
    } catch (const RecordingError& error) {
      EXPECT_NE(std::string(error.what()).find("truth.csv:3: expected"), std::string::npos)
          << error.what();
    }
  }
}

TEST_F(RunOfARobot, FindsTheGroundTruthOfItsRecording) {
  const RunRecord record = read_run(run());
  const GroundTruth truth = read_ground_truth("", run(), record);
  EXPECT_EQ(truth.source, "/ground_truth");
  EXPECT_EQ(read_ground_truth("/ground_truth", run(), record).poses.size(), truth.poses.size());
  // GNSS has places, and no directions.
  EXPECT_FALSE(read_ground_truth("/fix", run(), record).has_orientation);
  EXPECT_THROW(read_ground_truth("/nothing", run(), record), RecordingError);
}

TEST_F(RunOfARobot, IsEvaluatedAgainstTheTruth) {
  const RunRecord record = read_run(run());
  const GroundTruth truth = read_ground_truth("", run(), record);
  const RunEvaluation evaluation = evaluate_run(record, truth);
  const auto figures = evaluation.figures();
  // Landmarks and beacons: decimetres. The uncertainty is of the right order.
  EXPECT_LT(figures.at("position_rmse"), 0.3);
  EXPECT_GT(figures.at("anees_2"), 0.2);
  EXPECT_LT(figures.at("anees_2"), 4.0);
  EXPECT_LT(figures.at("rollout_2s_rmse"), 1.0);
  EXPECT_TRUE(figures.contains("camera.nis_ratio"));
  EXPECT_TRUE(figures.contains("parameter.motion.scale"));
}

TEST_F(RunOfARobot, HasItsOwnTrajectoryAsAPerfectTruth) {
  const RunRecord record = read_run(run());
  const GroundTruth truth = read_ground_truth((run() / "trajectory.tum").string(), run(), record);
  EXPECT_EQ(truth.poses.size(), record.poses.size());
  // Not all of them: of several poses at one time the truth has the last.
  EXPECT_LT(evaluate_run(record, truth).error.position.median, 1e-9);
}

TEST_F(RunOfARobot, MakesAPageWithAllCharts) {
  const RunRecord record = read_run(run());
  const GroundTruth truth = read_ground_truth("", run(), record);
  RunEvaluation first = evaluate_run(record, truth);
  RunEvaluation second = first;
  second.record.name = "again";
  const Report report = evaluation_report({first, second}, truth);
  const auto has = [&](const std::string& id) {
    return std::any_of(report.charts.begin(), report.charts.end(),
                       [&](const Chart& chart) { return chart.id == id; });
  };
  for (const char* id : {"trajectory", "error_x", "error_y", "error_yaw", "nees", "rollout_paths",
                         "rollout_error", "rollout_coverage", "nis_uwb", "nis_camera",
                         "parameter_uwb_noise", "health", "events", "latency"}) {
    EXPECT_TRUE(has(id)) << id;
  }
  EXPECT_TRUE(report.values.contains("again.position_rmse"));
  EXPECT_GT(html_page(report).size(), 100'000u);
}

TEST_F(RunOfARobot, IsEvaluatedWithoutATruthToo) {
  const RunEvaluation evaluation = evaluate_run(read_run(run()), {});
  EXPECT_FALSE(evaluation.has_truth);
  EXPECT_FALSE(evaluation.figures().contains("position_rmse"));
  EXPECT_TRUE(evaluation.figures().contains("rollout_1s_rmse"));
  const Report report = evaluation_report({evaluation}, {});
  EXPECT_FALSE(report.charts.empty());
  EXPECT_NO_THROW(check_report(report));
}

RunRecord record_in_space(bool has_orientation) {
  RunRecord record{.name = "run", .planar = false, .has_orientation = has_orientation};
  for (PoseSample pose : space_track(200)) {
    pose.position += Eigen::Vector3d(0.3, 0.4, 1.2);
    pose.orientation = Eigen::AngleAxisd(0.1, Eigen::Vector3d::UnitX()) * pose.orientation;
    pose.covariance.setIdentity();
    pose.covariance.bottomRightCorner<3, 3>() *= 0.01;
    pose.has_covariance = true;
    record.poses.push_back(pose);
  }
  return record;
}

bool has_row(const Report& report, const std::string& words) {
  const auto& rows = report.tables.front().rows;
  return std::any_of(rows.begin(), rows.end(),
                     [&](const auto& row) { return row.front().find(words) != std::string::npos; });
}

TEST(RunInSpace, OfABodyIsEvaluatedWithItsAttitude) {
  const GroundTruth truth{.source = "truth", .poses = space_track(200)};
  const RunEvaluation evaluation = evaluate_run(record_in_space(true), truth);
  const auto figures = evaluation.figures();
  EXPECT_NEAR(figures.at("position_rmse"), 1.3, 1e-9);
  EXPECT_NEAR(figures.at("position_xy_rmse"), 0.5, 1e-9);
  EXPECT_NEAR(figures.at("attitude_rmse"), 0.1, 1e-9);
  EXPECT_NEAR(figures.at("attitude_max"), 0.1, 1e-9);
  EXPECT_NEAR(figures.at("anees_2"), 0.25 / 2.0, 1e-9);
  EXPECT_NEAR(figures.at("anees_3"), 1.69 / 3.0, 1e-9);
  EXPECT_NEAR(figures.at("anees_attitude"), 1.0 / 3.0, 1e-9);
  EXPECT_NEAR(figures.at("anees_6"), 2.69 / 6.0, 1e-9);
  const Report report = evaluation_report({evaluation}, truth);
  for (const char* words : {"attitude error", "ANEES of attitude", "ANEES of x, y, z, attitude",
                            "x and y alone", "ANEES of x, y (ideal 1)"}) {
    EXPECT_TRUE(has_row(report, words)) << words;
  }
}

TEST(RunInSpace, OfAPointHasNoFiguresOfItsOrientation) {
  // The truth has one, and that of the estimates means nothing.
  const GroundTruth truth{.source = "truth", .poses = space_track(200)};
  const RunEvaluation evaluation = evaluate_run(record_in_space(false), truth);
  const auto figures = evaluation.figures();
  EXPECT_NEAR(figures.at("anees_2"), 0.25 / 2.0, 1e-9);
  EXPECT_NEAR(figures.at("anees_3"), 1.69 / 3.0, 1e-9);
  for (const char* name : {"yaw_rmse", "attitude_rmse", "anees_attitude", "anees_6"}) {
    EXPECT_FALSE(figures.contains(name)) << name;
  }
  const Report report = evaluation_report({evaluation}, truth);
  for (const char* words : {"yaw", "attitude"}) EXPECT_FALSE(has_row(report, words)) << words;
}

TEST(ReadRun, TakesTheMotionFromTheStatesOfALiveEstimator) {
  const test::TemporaryFolder folder;
  EstimatorConfig config;
  config.motion.kind = MotionKind::kConstantVelocity;
  config.motion.control = ControlKind::kNone;
  config.sensors = {{.name = "fix", .kind = SensorKind::kPosition, .noise = {1.0}}};
  write_recording(folder.path() / "recording", simulate({}, 5.0));
  replay(folder.path() / "recording", folder.path() / "run", {.config = config});
  const RunRecord live = read_run(folder.path() / "run" / "estimates");
  EXPECT_FALSE(live.poses.empty());
  EXPECT_FALSE(live.planar);
  EXPECT_FALSE(live.has_orientation);
}

TEST(ReadRun, RefusesARecordingWithoutEstimates) {
  const test::TemporaryFolder folder;
  const RobotLog log = simulate({}, 2.0);
  write_recording(folder.path() / "recording", log);
  EXPECT_THROW(read_run(folder.path() / "recording"), RecordingError);
  EXPECT_THROW(read_run(folder.path() / "none"), RecordingError);
}

TEST(ReadGroundTruth, ReadsAllDigitsOfATime) {
  const test::TemporaryFolder folder;
  const fs::path path = folder.path() / "truth.tum";
  std::ofstream(path)
      << "# a comment\n1700000000.123456789 1 2 3 0 0 0 1\n1700000001.5 1 2 3 0 0 0 1\n";
  const GroundTruth truth = read_ground_truth(path.string(), folder.path(), {});
  ASSERT_EQ(truth.poses.size(), 2u);
  EXPECT_EQ(truth.poses[0].stamp, 1700000000123456789);
  EXPECT_EQ(truth.poses[1].stamp, 1700000001500000000);
  for (const char* line : {"x 1 2 3 0 0 0 1\n", "1.0 1 2 3\n", "-1 1 2 3 0 0 0 1\n", ""}) {
    std::ofstream(path) << line;
    EXPECT_THROW(read_ground_truth(path.string(), folder.path(), {}), RecordingError) << line;
  }
  std::ofstream(path) << "stamp,x,y,yaw\n1500000000,1,2,0.5\n";
  EXPECT_EQ(read_ground_truth(path.string(), folder.path(), {}).poses.at(0).stamp, 1500000000);
}

}  // namespace
}  // namespace ovf
