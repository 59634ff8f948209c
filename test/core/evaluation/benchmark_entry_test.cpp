#include "ovf/evaluation/benchmark_entry.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "evaluation/temporary_folder.hpp"
#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/recording/robot_log_recording.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

void write_file(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

TEST(BenchmarkFile, HasEntriesWithPathsBesideIt) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / kBenchmarkFile;
  write_file(folder.path() / "truth.tum", "");
  write_file(file,
             "- name: mower\n"
             "  log: data/plaza\n"
             "  kind: plaza\n"
             "  config: robot.yaml\n"
             "- recording: bags/one.db3\n"
             "  config: [robot.yaml, /etc/landmarks.yaml]\n"
             "  ground_truth: truth.tum\n"
             "  initial: truth\n"
             "  align: se2\n"
             "  time_offset: -2.5\n"
             "  planar: true\n"
             "- recording: two\n"
             "  config: robot.yaml\n"
             "  ground_truth: /pose\n");
  const auto entries = read_benchmark_file(file);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].name, "mower");
  EXPECT_EQ(entries[0].log, folder.path() / "data/plaza");
  EXPECT_EQ(entries[0].kind, "plaza");
  EXPECT_EQ(entries[0].robot, 1);
  EXPECT_FALSE(entries[0].planar.has_value());
  EXPECT_EQ(entries[1].name, "one");
  EXPECT_EQ(entries[1].recording, folder.path() / "bags/one.db3");
  EXPECT_EQ(entries[1].configs,
            (std::vector<fs::path>{folder.path() / "robot.yaml", fs::path("/etc/landmarks.yaml")}));
  EXPECT_EQ(entries[1].ground_truth, (folder.path() / "truth.tum").string());
  EXPECT_EQ(entries[1].initial, "truth");
  EXPECT_EQ(entries[1].alignment, AlignmentKind::kYaw);
  EXPECT_EQ(entries[1].time_offset, -2.5);
  EXPECT_TRUE(entries[1].planar.value_or(false));
  EXPECT_EQ(entries[2].ground_truth, "/pose");
}

TEST(BenchmarkFile, SaysWhereItIsWrong) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / kBenchmarkFile;
  const auto expect_complaint = [&](const std::string& text, const std::string& words) {
    write_file(file, text);
    try {
      read_benchmark_file(file);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  const std::string entry = "- recording: a\n  config: b\n";
  expect_complaint("", "expected a list of entries");
  expect_complaint("name: a\n", "expected a list of entries");
  expect_complaint("- a\n", "a mapping");
  expect_complaint("- config: b\n", "either `recording` or `log`");
  expect_complaint("- recording: a\n  log: b\n  config: c\n", "either `recording` or `log`");
  expect_complaint("- recording: a\n", "`config` with one file or more");
  expect_complaint("- recording: a\n  config: [[b]]\n", "a list of files");
  expect_complaint(entry + "  robots: 2\n", ":3: unknown key robots");
  expect_complaint(entry + "  robot: 1.5\n", "a whole number from 1 to 5");
  expect_complaint(entry + "  robot: 1e999\n", "a whole number");
  expect_complaint(entry + "  time_offset: nan\n", "a number from");
  expect_complaint(entry + "  time_offset: 3s\n", "a number from");
  expect_complaint(entry + "  align: near\n", "none, first_pose, se2, se3, sim3");
  expect_complaint(entry + "  planar: maybe\n", "one of true, false");
  expect_complaint(entry + "  name: [a]\n", "one value");
  expect_complaint("- log: a\n  config: b\n  kind: csv\n", "log, plaza, mrclam");
  expect_complaint("- log: a\n  config: b\n  initial: truth\n", "only beside `recording`");
  expect_complaint("- &a [*a]\n", "anchor");
  write_file(file, std::string(2u << 20u, '-'));
  EXPECT_ANY_THROW(read_benchmark_file(file));
  EXPECT_THROW(read_benchmark_file(folder.path() / "none.yaml"), std::runtime_error);
}

TEST(BenchmarkFolder, HasTheRecordingsWithTruthAndConfiguration) {
  const TemporaryFolder folder;
  const RobotLog log = simulate({}, 2.0);
  const fs::path root = fs::canonical(folder.path());
  const std::string config = "/**:\n  ros__parameters:\n    sensors: [uwb]\n";
  write_file(root / "robot/user.yaml", config);
  write_recording(root / "robot/day1/recording", log);
  write_file(root / "robot/day1/landmarks.yaml", "landmarks: {ids: [1]}\n");
  // A single file, its configuration beside it.
  write_recording(root / "other", log);
  fs::remove(root / "other/metadata.yaml");
  write_file(root / "other/robot.yaml", config);
  // No configuration, two of them, no truth, and no recording at all.
  write_recording(root / "alone/deep/down/recording", log);
  write_recording(root / "twice/recording", log);
  write_file(root / "twice/a.yaml", config);
  write_file(root / "twice/b.yaml", config);
  write_file(root / "broken/user.yaml", config);
  write_file(root / "broken/noise.mcap", "this is no recording");
  const auto entries = find_benchmark_entries(root);
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[0].name, "broken/noise");
  EXPECT_NE(entries[0].error.find("noise.mcap"), std::string::npos) << entries[0].error;
  EXPECT_EQ(entries[1].name, "other/other_0");
  EXPECT_EQ(entries[1].configs, std::vector<fs::path>{root / "other/robot.yaml"});
  EXPECT_EQ(entries[2].name, "robot/day1/recording");
  EXPECT_EQ(entries[2].configs,
            (std::vector<fs::path>{root / "robot/user.yaml", root / "robot/day1/landmarks.yaml"}));
  EXPECT_TRUE(entries[2].error.empty()) << entries[2].error;
  EXPECT_NE(entries[3].error.find("several configurations"), std::string::npos);
  EXPECT_THROW(find_benchmark_entries(root / "none"), std::runtime_error);
}

}  // namespace
}  // namespace ovf
