#include "ovf/evaluation/robot_log_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "evaluation/log_files.hpp"
#include "ovf/math/random.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;
using test::expect_words;
using test::Files;
using test::TemporaryFolder;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Any finite number, from the smallest to the largest.
double any_number(RandomStream& random) {
  for (;;) {
    const auto value = std::bit_cast<double>(random.bits());
    if (std::isfinite(value)) return value;
  }
}

Eigen::MatrixXd any_numbers(int rows, int columns, RandomStream& random) {
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return any_number(random); });
}

RobotLog any_log() {
  RandomStream random(5);
  RobotLog log;
  for (int i = 0; i < 60; ++i) {
    const Stamp stamp = 1'700'000'000'000'000'000 + 1000 * (i / 3);
    if (i % 3 == 0) log.messages.emplace_back(Control{stamp, any_numbers(i % 4, 1, random)});
    if (i % 3 == 0) continue;
    Measurement measurement{.stamp = stamp,
                            .sensor = i % 2 == 0 ? "uwb" : "front/camera_1.left-b",
                            .y = any_numbers(i % 5, 1, random),
                            .target = i - 1};
    if (i % 5 > 0 && i % 2 == 0) measurement.covariance = any_numbers(i % 5, i % 5, random);
    log.messages.emplace_back(std::move(measurement));
  }
  for (int id : {7, 0, 3}) log.landmarks.push_back({id, any_numbers(3, 1, random)});
  for (int i = -5; i < 5; ++i) {
    log.truth.push_back({i, any_number(random), any_number(random), any_number(random)});
  }
  const double smallest = std::numeric_limits<double>::denorm_min();
  log.truth.push_back({9, -0.0, smallest, std::numeric_limits<double>::max()});
  return log;
}

bool same_bits(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  return std::equal(a.reshaped().begin(), a.reshaped().end(), b.reshaped().begin(),
                    [](double x, double y) {
                      return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
                    });
}

bool same(const Message& a, const Message& b) {
  if (a.index() != b.index()) return false;
  if (const auto* control = std::get_if<Control>(&a)) {
    const auto& other = std::get<Control>(b);
    return control->stamp == other.stamp && same_bits(control->u, other.u);
  }
  const auto& x = std::get<Measurement>(a);
  const auto& y = std::get<Measurement>(b);
  return x.stamp == y.stamp && x.sensor == y.sensor && x.target == y.target &&
         same_bits(x.y, y.y) && same_bits(x.covariance, y.covariance);
}

TEST(RobotLogFolder, IsReadBackBitForBit) {
  const TemporaryFolder folder;
  const RobotLog log = any_log();
  write_robot_log(folder.path() / "new" / "log/", log);
  const RobotLog copy = read_robot_log(folder.path() / "new" / "log");
  ASSERT_EQ(copy.messages.size(), log.messages.size());
  for (std::size_t i = 0; i < log.messages.size(); ++i) {
    EXPECT_TRUE(same(copy.messages[i], log.messages[i])) << "message " << i;
  }
  ASSERT_EQ(copy.landmarks.size(), log.landmarks.size());
  for (std::size_t i = 0; i < log.landmarks.size(); ++i) {
    EXPECT_EQ(copy.landmarks[i].id, log.landmarks[i].id);
    EXPECT_TRUE(same_bits(copy.landmarks[i].position, log.landmarks[i].position));
  }
  ASSERT_EQ(copy.truth.size(), log.truth.size());
  for (std::size_t i = 0; i < log.truth.size(); ++i) {
    const TruePose& a = copy.truth[i];
    const TruePose& b = log.truth[i];
    EXPECT_EQ(a.stamp, b.stamp);
    EXPECT_TRUE(same_bits(Eigen::Vector3d(a.x, a.y, a.yaw), Eigen::Vector3d(b.x, b.y, b.yaw)));
  }
}

TEST(RobotLogFolder, MayBeEmptyBeforeAndHasNoOtherFilesAfter) {
  const TemporaryFolder folder;
  write_robot_log(folder.path(), RobotLog());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 4);
  const RobotLog copy = read_robot_log(folder.path());
  EXPECT_TRUE(copy.messages.empty());
  EXPECT_TRUE(copy.landmarks.empty());
  EXPECT_TRUE(copy.truth.empty());
}

TEST(RobotLogFolder, IsNeverWrittenOverSomethingElse) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "precious") << "data";
  EXPECT_THROW(write_robot_log(folder.path(), any_log()), std::runtime_error);
  EXPECT_THROW(write_robot_log(folder.path() / "precious", any_log()), std::runtime_error);
  EXPECT_EQ(test::read_text(folder.path() / "precious"), "data");
  fs::create_directory(folder.path() / ".log.part");
  EXPECT_THROW(write_robot_log(folder.path() / "log", any_log()), std::runtime_error);
  EXPECT_FALSE(fs::exists(folder.path() / "log"));
  EXPECT_TRUE(fs::exists(folder.path() / ".log.part"));
}

TEST(RobotLogFolder, RefusesToWriteWhatItCouldNotReadBack) {
  const auto refuses = [](const std::function<void(RobotLog&)>& spoil) {
    const TemporaryFolder folder;
    RobotLog log = any_log();
    spoil(log);
    EXPECT_THROW(write_robot_log(folder.path() / "log", log), std::invalid_argument);
    EXPECT_TRUE(fs::is_empty(folder.path()));
  };
  const auto measurement = [](RobotLog& log) -> Measurement& {
    return std::get<Measurement>(log.messages[1]);
  };
  refuses([](RobotLog& log) { std::swap(log.messages[0], log.messages[5]); });
  refuses([](RobotLog& log) { std::swap(log.messages[0], log.messages[1]); });
  refuses([](RobotLog& log) { std::get<Control>(log.messages[3]).u.setConstant(kNan); });
  refuses([&](RobotLog& log) { measurement(log).sensor = "a,b"; });
  refuses([&](RobotLog& log) { measurement(log).sensor = ""; });
  refuses([&](RobotLog& log) { measurement(log).target = -2; });
  refuses([&](RobotLog& log) { measurement(log).covariance = Eigen::MatrixXd::Identity(2, 3); });
  refuses([&](RobotLog& log) { measurement(log).y = Eigen::VectorXd::Zero(65); });
  refuses([&](RobotLog& log) { measurement(log).y.setConstant(kNan); });
  refuses([](RobotLog& log) { log.landmarks[1].id = log.landmarks[0].id; });
  refuses([](RobotLog& log) { log.landmarks[1].position.x() = kNan; });
  refuses([](RobotLog& log) { std::swap(log.truth[0], log.truth[1]); });
  refuses([](RobotLog& log) { log.truth[1].yaw = kNan; });
  refuses([](RobotLog& log) { log.truth.back().stamp = std::numeric_limits<Stamp>::max(); });
}

TEST(RobotLogFolder, NamesFileLineColumnAndWhatWasExpected) {
  const auto complaint = [](const std::string& file, const std::string& text) {
    Files files = {{"controls.csv", "stamp,size,u...\n1,2,3,4\n"},
                   {"measurements.csv", "stamp,sensor,target,size,y...,covariance...\n"},
                   {"landmarks.csv", "id,x,y,z\n"},
                   {"truth.csv", "stamp,x,y,yaw\n"}};
    if (text.empty()) files.erase(file);
    if (!text.empty()) files[file] += text;
    return test::complaint_about(files, read_robot_log);
  };
  EXPECT_EQ(complaint("truth.csv", "\n1,2,3,4\r\n"), "accepted");
  for (const std::string file :
       {"controls.csv", "measurements.csv", "landmarks.csv", "truth.csv"}) {
    expect_words(complaint(file, ""), file + ": cannot be read");
    expect_words(complaint(file, "5"), file + ": line ");
  }
  expect_words(complaint("controls.csv", "1,2,3\n"),
               "controls.csv: line 3: has 3 fields; expected 4 for size 2");
  expect_words(complaint("controls.csv", "1,1000,3\n"),
               "size is \"1000\"; expected an integer from 0 to 64");
  expect_words(complaint("controls.csv", "1.5,1,3\n"), "stamp is \"1.5\"; expected nanoseconds");
  expect_words(complaint("controls.csv", "9000000000000000000,1,3\n"), "expected nanoseconds");
  expect_words(complaint("controls.csv", "1,2,3,4x\n"), "field 4 is \"4x\"");
  expect_words(complaint("measurements.csv", "1,uwb,-1,2,3,4,5\n"),
               "measurements.csv: line 2: has 7 fields; expected 6, or 10 with a covariance");
  expect_words(complaint("measurements.csv", "1,u wb,-1,1,3\n"), "sensor is \"u wb\"");
  expect_words(complaint("measurements.csv", "1,uwb,-2,1,3\n"), "target is \"-2\"");
  expect_words(complaint("landmarks.csv", "1,0,0,0\n1,0,0,0\n"), "line 3: id is \"1\"");
  expect_words(test::complaint_about({{"controls.csv", "stamp,u\n1,2\n"}}, read_robot_log),
               "line 1: is \"stamp,u\"; expected the header stamp,size,u...");
}

// Neither a crash nor anything but a std::runtime_error, whatever is in the files.
TEST(RobotLogFolder, SurvivesAnyBytes) {
  const TemporaryFolder folder;
  write_robot_log(folder.path() / "log", any_log());
  RandomStream random(11);
  int refused = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const TemporaryFolder spoilt;
    Files files;
    for (const auto& entry : fs::directory_iterator(folder.path() / "log")) {
      files[entry.path().filename().string()] = test::read_text(entry.path());
    }
    auto& [name, text] = *std::next(files.begin(), random.uniform_index(4));
    for (int i = 0; i < 3; ++i) {
      const auto at = static_cast<std::size_t>(random.uniform_index(static_cast<int>(text.size())));
      text[at] = static_cast<char>(random.uniform_index(256));
    }
    if (trial % 4 == 0) text.resize(text.size() / 2);
    if (test::complaint_about(files, read_robot_log) != "accepted") ++refused;
  }
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace ovf
