#include "ovf/recording/robot_log_recording.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "evaluation/temporary_folder.hpp"
#include "ovf/recording/recording.hpp"

namespace ovf {
namespace {

constexpr Stamp kSecond = 1'000'000'000;

RobotLog log_at(Stamp first) {
  RobotLog log;
  for (int i = 0; i < 3; ++i) {
    log.messages.emplace_back(Control{first + i * kSecond, Eigen::Vector2d(1.0, 0.0)});
  }
  for (int i = 0; i < 10; ++i) log.truth.push_back({.stamp = first + i * kSecond});
  return log;
}

TEST(RobotLogRecording, KeepsAClockThatCountsFrom1970) {
  EXPECT_EQ(start_of_recording(log_at(1'248'446'188 * kSecond)), 0);
  EXPECT_GT(start_of_recording(log_at(3857 * kSecond)), 1'000'000'000 * kSecond);
  EXPECT_GT(start_of_recording({}), 0);
}

TEST(RobotLogRecording, HasTheTruthAfterTheLastMessageToo) {
  const test::TemporaryFolder folder;
  write_recording(folder.path() / "recording", log_at(0));
  const auto reader = open_recording(folder.path() / "recording", {.topics = {"/ground_truth"}});
  RecordedMessage message;
  int count = 0;
  while (reader->next(message)) ++count;
  EXPECT_EQ(count, 10);
}

TEST(RobotLogRecording, RefusesWhatAMessageCannotHold) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "recording";
  EXPECT_THROW(write_recording(path, log_at(1'248'446'188 * kSecond)), std::invalid_argument);
  EXPECT_THROW(write_recording(path, log_at(std::numeric_limits<Stamp>::max() / 2)),
               std::invalid_argument);
  EXPECT_THROW(write_recording(path, log_at(-1), {.start = 0}), std::invalid_argument);
  for (const char* sensor : {"camera", "gnss"}) {
    RobotLog log = log_at(0);
    log.messages.emplace_back(
        Measurement{.stamp = kSecond, .sensor = sensor, .y = Eigen::VectorXd::Ones(1)});
    EXPECT_THROW(write_recording(path, log), std::invalid_argument) << sensor;
  }
  RobotLog log = log_at(0);
  log.messages.emplace_back(Control{kSecond, {}});
  EXPECT_THROW(write_recording(path, log), std::invalid_argument);
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace ovf
