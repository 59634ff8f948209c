#include "ovf/evaluation/plaza_log.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "evaluation/log_files.hpp"

namespace ovf {
namespace {

using test::expect_words;
using test::Files;

constexpr Stamp kMillisecond = 1'000'000;

Files small_log() {
  return {{"A_DR.csv",
           "t,delta_distance_m,delta_heading_rad\n"
           "10.000,9.0,9.0\n"
           "10.250,0.5,-0.1\n"
           "10.750,-0.25,0.2\n"},
          {"A_TD.csv",
           "t,sender_id,node_id,range_m\r\n"
           "10.750,2.000,7.000,3.5\r\n"
           "10.100,2.000,0.000,4.25\r\n"},
          {"A_TL.csv", "node_id,x,y\n0,1.5,-2.5\n7,3,4\n"},
          {"A_GT.csv", "t,x,y,heading\n10.0,1,2,3\n10.5,4,5,6\n"},
          {"notes.txt", "not a part of the log"}};
}

std::string complaint(const std::string& file, const std::string& text) {
  Files files = small_log();
  files[file] = text;
  return test::complaint_about(files, read_plaza_log);
}

TEST(PlazaLog, MakesVelocitiesOfIncrementsAndMergesByTime) {
  const test::TemporaryFolder folder;
  test::write_files(folder.path(), small_log());
  const RobotLog log = read_plaza_log(folder.path());

  ASSERT_EQ(log.messages.size(), 4U);
  const auto& early = std::get<Measurement>(log.messages[0]);
  EXPECT_EQ(early.stamp, 10100 * kMillisecond);
  EXPECT_EQ(early.sensor, "uwb");
  EXPECT_EQ(early.target, 0);
  EXPECT_EQ(early.y, Eigen::VectorXd::Constant(1, 4.25));
  // The first row ends no known interval.
  const auto& first = std::get<Control>(log.messages[1]);
  EXPECT_EQ(first.stamp, 10250 * kMillisecond);
  EXPECT_TRUE(first.u.isApprox(Eigen::Vector2d(2.0, -0.4), 1e-12));
  // A control comes before a measurement of the same time.
  const auto& second = std::get<Control>(log.messages[2]);
  EXPECT_EQ(second.stamp, 10750 * kMillisecond);
  EXPECT_TRUE(second.u.isApprox(Eigen::Vector2d(-0.5, 0.4), 1e-12));
  EXPECT_EQ(std::get<Measurement>(log.messages[3]).target, 7);

  ASSERT_EQ(log.landmarks.size(), 2U);
  EXPECT_EQ(log.landmarks[0].id, 0);
  EXPECT_EQ(log.landmarks[0].position, Eigen::Vector3d(1.5, -2.5, 0.0));
  ASSERT_EQ(log.truth.size(), 2U);
  EXPECT_EQ(log.truth[1].stamp, 10500 * kMillisecond);
  EXPECT_EQ(log.truth[1].yaw, 6.0);
}

TEST(PlazaLog, ReadsTimesToTheNanosecond) {
  const test::TemporaryFolder folder;
  Files files = small_log();
  files["A_GT.csv"] =
      "t,x,y,heading\n-1.5,0,0,0\n3857.0532019144,0,0,0\n1248446182.123456789,0,0,0\n2e9,0,0,0\n";
  test::write_files(folder.path(), files);
  const RobotLog log = read_plaza_log(folder.path());
  ASSERT_EQ(log.truth.size(), 4U);
  EXPECT_EQ(log.truth[0].stamp, -1'500'000'000);
  EXPECT_EQ(log.truth[1].stamp, 3857'053'201'914);
  EXPECT_EQ(log.truth[2].stamp, 1'248'446'182'123'456'789);
  EXPECT_EQ(log.truth[3].stamp, 2'000'000'000'000'000'000);
}

TEST(PlazaLog, NeedsExactlyOneFileOfEachKind) {
  for (const std::string suffix : {"_DR.csv", "_TD.csv", "_TL.csv", "_GT.csv"}) {
    Files missing = small_log();
    missing.erase("A" + suffix);
    expect_words(test::complaint_about(missing, read_plaza_log), "has no file *" + suffix);
    Files doubled = small_log();
    doubled["B" + suffix] = doubled["A" + suffix];
    expect_words(test::complaint_about(doubled, read_plaza_log), "expected one file *" + suffix);
  }
  EXPECT_THROW(read_plaza_log("/nowhere/at/all"), std::runtime_error);
}

TEST(PlazaLog, NamesFileLineColumnAndWhatWasExpected) {
  expect_words(complaint("A_DR.csv", "t,d,h\n1,0,0\n1,0,0\n"),
               "A_DR.csv: line 3: t is \"1\"; expected a time after that of the last row");
  expect_words(complaint("A_DR.csv", "t,d,h\n1,0,0\n2,x,0\n"),
               "A_DR.csv: line 3: delta_distance is \"x\"; expected a finite number");
  expect_words(complaint("A_DR.csv", "t,d,h\n1,0,0\n2,1\n"), "line 3: has 2 fields; expected 3");
  expect_words(complaint("A_DR.csv", "t,d,h\n1,0,0,0\n"), "line 2: has 4 fields; expected 3");
  expect_words(complaint("A_DR.csv", "1,0,0\n2,0,0\n"), "line 1: is \"1,0,0\"; expected a header");
  expect_words(complaint("A_DR.csv", ""), "line 1: is missing; expected a header");
  expect_words(complaint("A_TD.csv", "t,s,n,r\n1,2,9,3\n"),
               "A_TD.csv: line 2: node is \"9\"; expected a node of the *_TL.csv file");
  expect_words(complaint("A_TD.csv", "t,s,n,r\n1,2,0.5,3\n"), "expected an integer");
  expect_words(complaint("A_TD.csv", "t,s,n,r\n1,2,0,-3\n"), "expected a number of at least 0");
  expect_words(complaint("A_TD.csv", "t,s,n,r\n1,2,0,nan\n"), "expected a finite number");
  expect_words(complaint("A_TD.csv", "t,s,n,r\n1e300,2,0,1\n"), "expected a time in seconds");
  expect_words(complaint("A_TL.csv", "n,x,y\n0,1,1\n7,1,1\n0,2,2\n"),
               "A_TL.csv: line 4: node is \"0\"; expected a node that no row before has");
  expect_words(complaint("A_GT.csv", "t,x,y,h\n1,2,3,1e999\n"), "heading is \"1e999\"");
}

TEST(PlazaLog, ShowsNoControlCharactersOfAFile) {
  const std::string message = complaint("A_GT.csv", "t,x,y,h\n1,\x1b[2J,3,4\n");
  expect_words(message, "x is \"\\x1b[2J\"");
}

TEST(PlazaLog, RefusesALineWithoutEnd) {
  expect_words(complaint("A_GT.csv", "t,x,y,h\n" + std::string(200'000, '1')),
               "line 2: is longer than");
}

TEST(RecordedPlazaLog, HasTheFiguresOfItsDescription) {
  const auto folder = test::recorded_data("plaza");
  if (!folder) GTEST_SKIP() << "OVF_DATA_DIR, the folder with recorded data, is not set";
  const RobotLog log = read_plaza_log(*folder);
  EXPECT_EQ(log.messages.size(), 9656U + 3529U);
  EXPECT_EQ(log.landmarks.size(), 4U);
  EXPECT_EQ(log.truth.size(), 9658U);
  double way = 0.0;
  Stamp last = log.truth.front().stamp;
  for (const Message& message : log.messages) {
    EXPECT_GE(stamp_of(message), log.truth.front().stamp);
    const auto* control = std::get_if<Control>(&message);
    if (control == nullptr) continue;
    // But for the row that was left out, intervals follow each other.
    if (way > 0.0) way += std::abs(control->u[0]) * seconds_between(last, control->stamp);
    if (way == 0.0) way = 1e-9;
    last = control->stamp;
  }
  EXPECT_NEAR(way, 1860.0, 20.0);
  EXPECT_NEAR(seconds_between(log.truth.front().stamp, log.truth.back().stamp), 1933.0, 2.0);
}

}  // namespace
}  // namespace ovf
