#include "ovf/evaluation/mrclam_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "evaluation/log_files.hpp"

namespace ovf {
namespace {

using test::expect_words;
using test::Files;

Files small_log() {
  return {{"Barcodes.dat", "# Subject # Barcode #\n  1 \t   5\n  2 \t  14\n  6 \t  63\n 30 9\n"},
          {"Landmark_Groundtruth.dat",
           "# a comment\n  6 \t 0.5 \t -4.25 \t 0.00003949 \t 0.00059654\n"},
          {"Robot2_Odometry.dat",
           "# t v w\n1248446188.882 \t  0.086 \t -0.398\n1248446188.323 \t  0.085 \t 0.2\n"},
          {"Robot2_Measurement.dat",
           "# t barcode range bearing\n"
           "1248446188.882 \t  63 \t  1.5 \t  0.25\n"
           "1248446189.000 \t  5 \t  1.5 \t  0.25\n"
           "1248446189.000 \t  77 \t  1.5 \t  0.25\n"
           "1248446189.000 \t  9 \t  1.5 \t  0.25\n"},
          {"Robot2_Groundtruth.dat", "# t x y yaw\n1248446182.116 \t 2.25 4.5 \t -1.75\n"}};
}

std::string complaint(const std::string& file, const std::string& text) {
  Files files = small_log();
  files[file] = text;
  return test::complaint_about(files, [](const auto& folder) { read_mrclam_log(folder, 2); });
}

TEST(MrclamLog, MergesByTimeAndLeavesOutWhatIsNoLandmark) {
  const test::TemporaryFolder folder;
  test::write_files(folder.path(), small_log());
  MrclamLeftOut left_out;
  const RobotLog log = read_mrclam_log(folder.path(), 2, &left_out);

  ASSERT_EQ(log.messages.size(), 3U);
  EXPECT_EQ(stamp_of(log.messages[0]), 1'248'446'188'323'000'000);
  EXPECT_EQ(std::get<Control>(log.messages[0]).u, Eigen::Vector2d(0.085, 0.2));
  EXPECT_EQ(std::get<Control>(log.messages[1]).u, Eigen::Vector2d(0.086, -0.398));
  const auto& seen = std::get<Measurement>(log.messages[2]);
  EXPECT_EQ(seen.stamp, 1'248'446'188'882'000'000);
  EXPECT_EQ(seen.sensor, "camera");
  EXPECT_EQ(seen.target, 6);
  EXPECT_EQ(seen.y, Eigen::Vector2d(1.5, 0.25));
  EXPECT_EQ(left_out.other_robots, 1);
  // A barcode of no subject, and one of a subject that is nowhere.
  EXPECT_EQ(left_out.unknown_barcodes, 2);

  ASSERT_EQ(log.landmarks.size(), 1U);
  EXPECT_EQ(log.landmarks[0].id, 6);
  EXPECT_EQ(log.landmarks[0].position, Eigen::Vector3d(0.5, -4.25, 0.0));
  ASSERT_EQ(log.truth.size(), 1U);
  EXPECT_EQ(log.truth[0].x, 2.25);
  EXPECT_EQ(log.truth[0].yaw, -1.75);
}

TEST(MrclamLog, HasRobotsOneToFive) {
  const test::TemporaryFolder folder;
  test::write_files(folder.path(), small_log());
  EXPECT_THROW(read_mrclam_log(folder.path(), 0), std::invalid_argument);
  EXPECT_THROW(read_mrclam_log(folder.path(), 6), std::invalid_argument);
  EXPECT_THROW(read_mrclam_log(folder.path(), 3), std::runtime_error);
}

TEST(MrclamLog, NamesFileLineColumnAndWhatWasExpected) {
  for (const auto& [file, text] : small_log()) {
    Files files = small_log();
    files.erase(file);
    expect_words(
        test::complaint_about(files, [](const auto& folder) { read_mrclam_log(folder, 2); }),
        file + ": cannot be read");
    expect_words(complaint(file, "\x01\xff\n"), file + ": line 1: has 1 fields; expected");
  }
  expect_words(complaint("Barcodes.dat", "#\n1 5\n6 5\n"),
               "Barcodes.dat: line 3: barcode is \"5\"; expected a barcode that no row before has");
  expect_words(complaint("Landmark_Groundtruth.dat", "6 1 2 0 0\n6 1 2 0 0\n"),
               "line 2: subject is \"6\"; expected a subject that no row before has");
  expect_words(complaint("Landmark_Groundtruth.dat", "3 1 2 0 0\n"), "expected an integer from 6");
  expect_words(complaint("Landmark_Groundtruth.dat", "6 1 2 0 -1\n"), "y_deviation is \"-1\"");
  expect_words(complaint("Robot2_Odometry.dat", "1 2 inf\n"), "yaw_rate is \"inf\"");
  expect_words(complaint("Robot2_Measurement.dat", "1 63 -1 0\n"), "range is \"-1\"");
  expect_words(complaint("Robot2_Measurement.dat", "1 63 1 7\n"), "bearing is \"7\"");
  expect_words(complaint("Robot2_Measurement.dat", "1 63 1,0\n"), "has 3 fields; expected 4");
}

TEST(RecordedMrclamLog, HasTheFiguresOfItsFiles) {
  const auto folder = test::recorded_data("mrclam");
  if (!folder) GTEST_SKIP() << "OVF_DATA_DIR, the folder with recorded data, is not set";
  MrclamLeftOut left_out;
  const RobotLog first = read_mrclam_log(*folder, 1, &left_out);
  EXPECT_EQ(left_out.other_robots, 650);
  EXPECT_EQ(left_out.unknown_barcodes, 0);
  EXPECT_EQ(first.messages.size(), 58598U + 3228U - 650U);
  EXPECT_EQ(first.truth.size(), 58389U);
  EXPECT_EQ(first.landmarks.size(), 15U);
  const RobotLog third = read_mrclam_log(*folder, 3, &left_out);
  EXPECT_EQ(left_out.other_robots, 965);
  EXPECT_EQ(left_out.unknown_barcodes, 9);
  EXPECT_EQ(third.messages.size(), 55085U + 5399U - 965U - 9U);
  EXPECT_TRUE(
      std::is_sorted(third.messages.begin(), third.messages.end(),
                     [](const Message& a, const Message& b) { return stamp_of(a) < stamp_of(b); }));
}

}  // namespace
}  // namespace ovf
