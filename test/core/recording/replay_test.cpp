#include "ovf/recording/replay.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "evaluation/temporary_folder.hpp"
#include "ovf/estimator/estimator.hpp"
#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/evaluation/localisation.hpp"
#include "ovf/recording/cdr.hpp"
#include "ovf/recording/message_definition.hpp"
#include "ovf/recording/recording_folder.hpp"
#include "ovf/recording/replay_messages.hpp"
#include "ovf/recording/robot_log_recording.hpp"
#include "ovf/recording/ros_messages.hpp"
#include "source_folder.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;
using test::config_folder;
using test::read_text;
using test::TemporaryFolder;

/// A simulated robot of a few seconds, its recording, and the configuration for it.
struct Robot {
  TemporaryFolder folder;
  RobotLog log;
  ReplayOptions options;

  explicit Robot(double seconds = 20.0) {
    log = simulate({}, seconds);
    const RobotLogRecordingOptions recording;
    write_recording(folder.path() / "recording", log, recording);
    options.config = load_estimator_config(config_folder() / "planar_all_sensors.yaml");
    options.config.gnss_origin = {recording.origin.latitude, recording.origin.longitude,
                                  recording.origin.altitude};
    take_landmarks(log, options.config);
  }
  fs::path recording() const { return folder.path() / "recording"; }
  fs::path out(const std::string& name) const { return folder.path() / name; }
};

TEST(Replay, SaysWhetherItReachedTheEnd) {
  Robot robot;
  EXPECT_FALSE(replay(robot.recording(), robot.out("whole"), robot.options).interrupted);
  EXPECT_NE(read_text(robot.out("whole") / "summary.json").find("\"complete\": true"),
            std::string::npos);

  int asked = 0;
  robot.options.interrupted = [&] { return ++asked == 1500; };
  robot.options.save = robot.out("checkpoint");
  const ReplaySummary summary = replay(robot.recording(), robot.out("part"), robot.options);
  EXPECT_TRUE(summary.interrupted);
  EXPECT_EQ(summary.recorded, 1500U);
  EXPECT_NE(read_text(robot.out("part") / "summary.json").find("\"complete\": false"),
            std::string::npos);
  // What is there is whole: the recording of estimates has its end, and the checkpoint goes on.
  EXPECT_TRUE(open_recording(robot.out("part") / "estimates")->warnings().empty());
  robot.options.load = robot.out("checkpoint");
  robot.options.interrupted = {};
  EXPECT_TRUE(replay(robot.recording(), robot.out("rest"), robot.options).initialised);
}

TEST(Replay, SaysThatNothingOfATopicCouldBeRead) {
  const Robot robot;
  // The same recording, but whatever is on one topic is no message.
  const fs::path copy = robot.out("garbage");
  {
    const auto reader = open_recording(robot.recording());
    const auto writer = create_recording(copy);
    for (const Topic& topic : reader->topics()) writer->add_topic(topic);
    const std::vector<std::byte> garbage(3, std::byte{1});
    RecordedMessage message;
    while (reader->next(message)) {
      const Topic& topic = reader->topics()[static_cast<std::size_t>(message.topic)];
      if (topic.name == "/uwb") message.data = garbage;
      writer->write(message);
    }
    writer->close();
  }
  EXPECT_TRUE(
      shortcomings(replay(robot.recording(), robot.out("a"), robot.options), robot.options.config)
          .empty());
  const auto said = shortcomings(replay(copy, robot.out("b"), robot.options), robot.options.config);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said.front().find("uwb: none of the "), std::string::npos) << said.front();
  EXPECT_NE(said.front().find("unreadable"), std::string::npos) << said.front();
}

TEST(Replay, SaysThatNoMessageOfAnySensorWasUsed) {
  const Robot robot(1.0);
  ReplaySummary summary;
  summary.recorded = 20;
  summary.initialised = true;
  summary.uses = {{.topic = "/gnss", .type = "t", .sensor = "gnss", .messages = 10},
                  {.topic = "/odom", .type = "t", .messages = 10}};
  summary.counters.outcomes[static_cast<std::size_t>(Outcome::kPredicted)] = 10;
  summary.counters.outcomes[static_cast<std::size_t>(Outcome::kTooOld)] = 10;
  EXPECT_EQ(shortcomings(summary, robot.options.config),
            std::vector<std::string>{"no message of any sensor was used"});
  summary.counters.outcomes[static_cast<std::size_t>(Outcome::kUsed)] = 1;
  EXPECT_TRUE(shortcomings(summary, robot.options.config).empty());
}

TEST(Replay, GivesWhatTheEstimatorGivesWithTheSameMessages) {
  const Robot robot;
  const ReplaySummary summary = replay(robot.recording(), robot.out("a"), robot.options);
  EXPECT_TRUE(summary.warnings.empty());
  EXPECT_TRUE(summary.initialised);

  Estimator estimator(robot.options.config);
  const RobotLogRecordingOptions recording;
  for (Message message : robot.log.messages) {
    std::visit([&](auto& m) { m.stamp += recording.start; }, message);
    estimator.process(message);
  }
  for (int i = 0; i < kOutcomes; ++i) {
    EXPECT_EQ(summary.counters.outcomes[static_cast<std::size_t>(i)],
              estimator.counters().outcomes[static_cast<std::size_t>(i)])
        << to_string(static_cast<Outcome>(i));
  }
  // The last posterior; only GNSS went through a rounding, of degrees.
  const auto reader = open_recording(robot.out("a") / "estimates", {.topics = {"/ovf/posterior"}});
  RecordedMessage message;
  ros::Posterior last;
  while (reader->next(message)) last = decode<ros::Posterior>(message.data);
  ASSERT_EQ(last.state.mean.size(), static_cast<std::size_t>(estimator.belief().dim()));
  for (std::size_t i = 0; i < last.state.mean.size(); ++i) {
    EXPECT_NEAR(last.state.mean[i], estimator.belief().mean[static_cast<Eigen::Index>(i)], 1e-5)
        << last.state.names[i];
  }
}

TEST(ReadMessages, GivesWhatAReplayProcesses) {
  Robot robot;
  robot.options.config.initial.rule = InitialRule::kCall;
  robot.options.initial_topic = "/ground_truth";
  robot.options.start = 1.0;
  const ReplaySummary summary = replay(robot.recording(), robot.out("a"), robot.options);
  Estimator estimator(robot.options.config);
  const auto pose = initial_pose(robot.recording(), robot.options);
  ASSERT_TRUE(pose.has_value());
  start_at_pose(estimator, *pose);
  for (const Message& message : read_messages(robot.recording(), robot.options)) {
    estimator.process(message);
  }
  EXPECT_GT(summary.counters.of(Outcome::kUsed), 100);
  EXPECT_EQ(summary.counters.outcomes, estimator.counters().outcomes);
  robot.options.initial_topic.clear();
  EXPECT_FALSE(initial_pose(robot.recording(), robot.options).has_value());
}

TEST(Replay, GivesTheSameBytesTwice) {
  const Robot robot;
  replay(robot.recording(), robot.out("a"), robot.options);
  replay(robot.recording(), robot.out("b"), robot.options);
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(robot.out("a"))) {
    if (!entry.is_regular_file() || entry.path().filename() == "machine.json") continue;
    const fs::path other = robot.out("b") / fs::relative(entry.path(), robot.out("a"));
    EXPECT_EQ(read_text(entry.path()), read_text(other)) << entry.path();
    EXPECT_FALSE(read_text(entry.path()).empty()) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 9);
}

TEST(Replay, GoesOnFromACheckpoint) {
  Robot robot(26.0);
  ReplayOptions whole = robot.options;
  replay(robot.recording(), robot.out("whole"), whole);
  ReplayOptions first = robot.options;
  first.duration = 20.0;
  first.save = robot.out("checkpoint");
  replay(robot.recording(), robot.out("first"), first);
  ReplayOptions second = robot.options;
  second.start = 20.0;
  second.load = robot.out("checkpoint");
  replay(robot.recording(), robot.out("second"), second);
  const std::string all = read_text(robot.out("whole") / "trajectory.tum");
  const std::string parts = read_text(robot.out("first") / "trajectory.tum") +
                            read_text(robot.out("second") / "trajectory.tum");
  EXPECT_EQ(all, parts);
}

TEST(Replay, ReadsAPartOfTheRecording) {
  Robot robot;
  robot.options.start = 5.0;
  robot.options.duration = 3.0;
  const ReplaySummary summary = replay(robot.recording(), robot.out("a"), robot.options);
  EXPECT_LE(summary.recording_seconds, 3.0);
  EXPECT_GT(summary.recording_seconds, 2.5);
}

TEST(Replay, StartsFromAPoseOnATopic) {
  Robot robot;
  robot.options.config.initial.rule = InitialRule::kCall;
  EXPECT_FALSE(replay(robot.recording(), robot.out("a"), robot.options).initialised);
  robot.options.initial_topic = "/ground_truth";
  EXPECT_TRUE(replay(robot.recording(), robot.out("b"), robot.options).initialised);
  robot.options.initial_topic = "/nothing";
  EXPECT_THROW(replay(robot.recording(), robot.out("c"), robot.options), std::invalid_argument);
}

TEST(Replay, SaysWhichTopicIsMissingAndWhichThereAre) {
  Robot robot(2.0);
  robot.options.config.sensors[0].topic = "/radio";
  try {
    replay(robot.recording(), robot.out("a"), robot.options);
    FAIL();
  } catch (const std::invalid_argument& error) {
    const std::string text = error.what();
    for (const char* part : {"/radio", "sensor uwb", "/uwb (ovf_msgs/msg/VectorObservation)",
                             "/odom (nav_msgs/msg/Odometry)", "--topics"}) {
      EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
    }
  }
  EXPECT_FALSE(fs::exists(robot.out("a")));
}

TEST(Replay, TakesTheOnlyTopicOfATypeButNoneOfTwo) {
  Robot robot(2.0);
  robot.options.config.sensors = {robot.options.config.sensors[2]};
  robot.options.config.sensors[0].topic.clear();
  robot.options.config.sensors[0].name = "position";
  const ReplaySummary summary = replay(robot.recording(), robot.out("a"), robot.options);
  EXPECT_EQ(summary.uses.at(1).topic, "/fix");
  // The truth is of the type of /odom, but is never taken unasked.
  robot.options.config.motion.control_topic.clear();
  EXPECT_EQ(replay(robot.recording(), robot.out("b"), robot.options).uses.at(0).topic, "/odom");
  std::vector<Topic> topics = open_recording(robot.recording())->topics();
  EXPECT_NO_THROW(MessageInput(robot.options.config, topics));
  for (Topic& topic : topics) {
    if (topic.name == "/ground_truth") topic.name = "/other_odom";
  }
  EXPECT_THROW(MessageInput(robot.options.config, topics), std::invalid_argument);
}

TEST(Replay, RefusesATopicOfATypeThatSaysNothingOfTheKind) {
  Robot robot(2.0);
  robot.options.config.sensors[0].topic = "/imu/data";
  try {
    replay(robot.recording(), robot.out("a"), robot.options);
    FAIL();
  } catch (const std::invalid_argument& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("sensor uwb takes topic /imu/data, whose type is sensor_msgs/msg/Imu"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("sensor_msgs/msg/Range"), std::string::npos) << text;
  }
}

TEST(Replay, CountsMessagesWhoseBytesAreNone) {
  const TemporaryFolder folder;
  {
    const auto writer = create_recording(folder.path() / "recording");
    const int topic = writer->add_topic({.name = "/odom",
                                         .type = ros::Odometry::kType,
                                         .definition = definition<ros::Odometry>(),
                                         .definition_encoding = "ros2msg"});
    const std::vector<std::byte> bytes(10);
    for (int i = 0; i < 5; ++i) {
      writer->write({.topic = topic, .log_time = i, .publish_time = i, .data = bytes});
    }
    writer->close();
  }
  ReplayOptions options;
  options.config.motion.control = ControlKind::kNone;
  options.config.sensors = {{.name = "odom", .kind = SensorKind::kPose, .noise = {0.1}}};
  const ReplaySummary summary = replay(folder.path() / "recording", folder.path() / "out", options);
  EXPECT_EQ(summary.uses.at(0).unused.at("unreadable"), 5);
  EXPECT_NE(summary.uses.at(0).first_error.find("nav_msgs/msg/Odometry"), std::string::npos);
}

TEST(Replay, RefusesAFolderWithSomethingInIt) {
  Robot robot(1.0);
  fs::create_directories(robot.out("a") / "precious");
  EXPECT_THROW(replay(robot.recording(), robot.out("a"), robot.options), RecordingError);
  EXPECT_TRUE(fs::exists(robot.out("a") / "precious"));
}

TEST(Replay, ReadsRecordingsOfRobots) {
  const char* data = std::getenv("OVF_DATA_DIR");
  if (data == nullptr) GTEST_SKIP() << "OVF_DATA_DIR is not set: no recordings of robots";
  const TemporaryFolder folder;
  ReplayOptions options;
  options.config = load_estimator_config(config_folder() / "outdoor_imu_odometry_gnss.yaml");
  ReplaySummary summary =
      replay(fs::path(data) / "bags/husky_mcap", folder.path() / "husky", options);
  EXPECT_EQ(summary.recorded, 16806u);
  EXPECT_TRUE(summary.initialised);
  EXPECT_TRUE(summary.warnings.empty());
  options.config = load_estimator_config(config_folder() / "indoor_odometry_pose.yaml");
  summary = replay(fs::path(data) / "bags/nav2_mcap", folder.path() / "nav2", options);
  EXPECT_EQ(summary.recorded, 2639u + 135u);
  EXPECT_TRUE(summary.initialised);
}

}  // namespace
}  // namespace ovf
