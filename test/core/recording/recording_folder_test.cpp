#include "ovf/recording/recording_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "evaluation/temporary_folder.hpp"
#include "recording/sqlite_file.hpp"

namespace ovf::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RecordingFolder : public testing::Test {
 protected:
  /// A file with one message of the topic at each time; its data are the file's name.
  void add_file(const std::string& name, const std::vector<std::int64_t>& times,
                const std::string& topic = "/a", const std::string& definition = "") {
    SqliteFile file(folder_ / name, kNewTables);
    file.run(fmt::format("INSERT INTO topics VALUES (1, '{}', 't/msg/A', 'cdr', '', '')", topic));
    if (!definition.empty()) {
      file.run(
          fmt::format("INSERT INTO message_definitions VALUES (1, 't/msg/A', 'ros2msg', '{}', '')",
                      definition));
    }
    for (const auto time : times) file.add_message(1, time, name);
  }

  void add_metadata(const std::vector<std::string>& files, const std::string& more = "") {
    std::string text = "rosbag2_bagfile_information:\n  version: 5\n  relative_file_paths:\n";
    for (const auto& file : files) text += fmt::format("    - {}\n", file);
    std::ofstream(folder_ / "metadata.yaml") << text << more;
  }

  std::vector<TimedMessage> read(const ReadOptions& options = {}) {
    const auto reader = open_recording(folder_, options);
    auto messages = read_timed(*reader);
    warnings_ = reader->warnings();
    return messages;
  }

  std::string refusal() {
    return refusal_of([&] { open_recording(folder_); });
  }

  TemporaryFolder temporary_;
  std::filesystem::path folder_ = temporary_.path();
  std::vector<std::string> warnings_;
};

TEST_F(RecordingFolder, ReadsSplitFilesOneAfterTheOther) {
  add_file("bag_0.db3", {1, 2});
  add_file("bag_1.db3", {3});
  add_metadata({"bag_0.db3", "bag_1.db3"});
  EXPECT_THAT(read(),
              ElementsAre(TimedMessage{"/a", 1, "bag_0.db3"}, TimedMessage{"/a", 2, "bag_0.db3"},
                          TimedMessage{"/a", 3, "bag_1.db3"}));
  EXPECT_THAT(warnings_, IsEmpty());
  const auto reader = open_recording(folder_);
  EXPECT_EQ(reader->first_time(), 1);
  EXPECT_EQ(reader->last_time(), 3);
  EXPECT_EQ(reader->message_count(), 3U);
}

TEST_F(RecordingFolder, MergesFilesThatOverlapInTime) {
  add_file("bag_0.db3", {5, 7, 20});
  add_file("bag_1.db3", {1, 6, 7, 9});
  add_file("bag_2.db3", {});
  add_file("bag_3.db3", {8});
  std::vector<std::int64_t> times;
  for (const auto& message : read()) times.push_back(message.time);
  EXPECT_THAT(times, ElementsAre(1, 5, 6, 7, 7, 8, 9, 20));
}

TEST_F(RecordingFolder, ReadsMoreFilesThanItKeepsOpen) {
  for (int i = 0; i < 70; ++i) add_file(fmt::format("bag_{}.db3", i), {i, i + 1});
  const auto messages = read({.start = 1, .end = 70});
  ASSERT_EQ(messages.size(), 138U);
  for (std::size_t i = 1; i < messages.size(); ++i) {
    EXPECT_LE(messages[i - 1].time, messages[i].time);
  }
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(RecordingFolder, TakesFilesInNaturalOrderWithoutMetadata) {
  for (const auto* name : {"bag_10.db3", "bag_2.db3", "bag_02.db3", "bag_.db3"})
    add_file(name, {1});
  std::vector<std::string> names;
  for (const auto& message : read()) names.push_back(message.data);
  EXPECT_THAT(names, ElementsAre("bag_.db3", "bag_02.db3", "bag_2.db3", "bag_10.db3"));
}

TEST_F(RecordingFolder, UnifiesTopicsOverFiles) {
  add_file("bag_0.db3", {1}, "/a");
  add_file("bag_1.db3", {2}, "/b");
  add_file("bag_2.db3", {3}, "/a", "int8 x");
  add_metadata({"bag_0.db3", "bag_1.db3", "bag_2.db3"},
               "  topics_with_message_count:\n"
               "    - topic_metadata:\n"
               "        name: /b\n"
               "        type: t/msg/A\n"
               "        serialization_format: cdr\n"
               "        offered_qos_profiles:\n"
               "          - history: keep_last\n"
               "            deadline:\n"
               "              sec: 9\n"
               "      message_count: 1\n");
  const auto reader = open_recording(folder_);
  ASSERT_EQ(reader->topics().size(), 2U);
  EXPECT_EQ(reader->topics()[0].name, "/a");
  EXPECT_EQ(reader->topics()[0].definition, "int8 x");
  EXPECT_EQ(reader->topics()[1].qos, "- history: keep_last\n  deadline:\n    sec: 9");
  EXPECT_THAT(read_timed(*reader),
              ElementsAre(TimedMessage{"/a", 1, "bag_0.db3"}, TimedMessage{"/b", 2, "bag_1.db3"},
                          TimedMessage{"/a", 3, "bag_2.db3"}));
}

TEST_F(RecordingFolder, GoesOnWithoutFilesThatAreMissingOrBroken) {
  add_file("bag_0.db3", {1});
  std::ofstream(folder_ / "bag_1.db3") << "not a recording";
  add_metadata({"bag_0.db3", "bag_1.db3", "bag_2.db3"});
  EXPECT_EQ(read().size(), 1U);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("lists bag_2.db3, which is missing"),
                                     HasSubstr("is neither MCAP nor SQLite")));
  std::filesystem::remove(folder_ / "bag_0.db3");
  EXPECT_THAT(refusal(), HasSubstr("is neither MCAP nor SQLite"));
}

TEST_F(RecordingFolder, DoesNotFollowMetadataOutOfTheFolder) {
  add_file("outside.db3", {1});
  folder_ = temporary_.path() / "bag";
  std::filesystem::create_directory(folder_);
  add_file("bag_0.db3", {2});
  add_metadata({"../outside.db3", (temporary_.path() / "outside.db3").string(), "bag_0.db3",
                "bag_0.db3", "x/../../outside.db3"});
  EXPECT_THAT(read(), ElementsAre(TimedMessage{"/a", 2, "bag_0.db3"}));
  EXPECT_EQ(warnings_.size(), 3U);
  EXPECT_THAT(warnings_.front(), HasSubstr("lists ../outside.db3, which is not inside the folder"));
}

TEST_F(RecordingFolder, FindsFilesOfOldMetadataThatBeginWithTheFolder) {
  add_file("bag_0.db3", {1});
  add_metadata({"old_name/bag_0.db3"});
  EXPECT_EQ(read().size(), 1U);
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(RecordingFolder, ReadsTheFilesOfAFolderWhoseMetadataAreDamaged) {
  add_file("bag_0.db3", {1});
  const std::string deep(100'000, '[');
  for (const std::string& text :
       {std::string("]"), std::string("a: \"b"), std::string(), deep, std::string("a: &x b"),
        std::string("a\0b", 3), std::string(200, 'a') + ": b",
        std::string("rosbag2_bagfile_information: []")}) {
    std::ofstream(folder_ / "metadata.yaml", std::ios::trunc | std::ios::binary) << text;
    EXPECT_EQ(read().size(), 1U) << text.substr(0, 100);
    ASSERT_EQ(warnings_.size(), 1U) << text.substr(0, 100);
    EXPECT_THAT(warnings_.front(), HasSubstr("metadata.yaml"));
  }
  std::filesystem::resize_file(folder_ / "metadata.yaml", 17U << 20);
  EXPECT_EQ(read().size(), 1U);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("has more than 16777216 bytes")));
}

TEST_F(RecordingFolder, TellsOfFilesThatMetadataDoNotList) {
  add_file("bag_0.db3", {1});
  add_file("bag_1.db3", {2});
  add_metadata({"bag_0.db3"});
  EXPECT_EQ(read().size(), 1U);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("does not list bag_1.db3")));
}

TEST_F(RecordingFolder, SaysHowToDecompressFiles) {
  std::ofstream(folder_ / "bag_0.db3.zstd") << "\x28\xb5\x2f\xfd";
  EXPECT_THAT(refusal(), HasSubstr("zstd -d"));
  add_metadata({"bag_0.db3.zstd"}, "  compression_format: zstd\n  compression_mode: FILE\n");
  EXPECT_THAT(refusal(), HasSubstr("zstd -d"));
  EXPECT_THAT(refusal_of([&] { open_recording(folder_ / "bag_0.db3.zstd"); }),
              HasSubstr("zstd -d"));
  add_file("bag_0.db3", {1});
  EXPECT_EQ(read().size(), 1U);
}

TEST_F(RecordingFolder, RefusesOtherCompressions) {
  add_file("bag_0.db3", {1});
  add_metadata({"bag_0.db3"}, "  compression_format: lz4\n  compression_mode: MESSAGE\n");
  EXPECT_THAT(refusal(), HasSubstr("compressed with lz4"));
}

TEST_F(RecordingFolder, KnowsAFileByItsContent) {
  add_file("misnamed.txt", {1});
  EXPECT_EQ(read_timed(*open_recording(folder_ / "misnamed.txt")).size(), 1U);
  std::ofstream(folder_ / "ros1.mcap") << "#ROSBAG V2.0\n";
  EXPECT_THAT(refusal_of([&] { open_recording(folder_ / "ros1.mcap"); }), HasSubstr("ROS 1"));
  std::ofstream(folder_ / "empty.mcap").flush();
  EXPECT_THAT(refusal_of([&] { open_recording(folder_ / "empty.mcap"); }), HasSubstr("is empty"));
  EXPECT_THAT(refusal_of([&] { open_recording(folder_ / "none"); }), HasSubstr("is not there"));
  EXPECT_THAT(refusal_of([&] { open_recording("/dev/null"); }), HasSubstr("is not a file"));
}

TEST_F(RecordingFolder, SaysThatAFolderHasNoRecording) {
  EXPECT_THAT(refusal(), HasSubstr("has no .mcap or .db3 files"));
  add_metadata({});
  EXPECT_THAT(refusal(), HasSubstr("has no .mcap or .db3 files"));
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

/// Two topics and three messages.
void write_recording(const std::filesystem::path& path) {
  const auto writer = create_recording(path);
  const int a = writer->add_topic({.name = "/a \"b\"\n",
                                   .type = "t/msg/A",
                                   .definition = "int8 x",
                                   .definition_encoding = "ros2msg",
                                   .qos = "- history: keep_last\n  reliability: best_effort"});
  const int b = writer->add_topic({.name = "/b", .type = "t/msg/B"});
  const std::string data = "data";
  writer->write({.topic = b, .log_time = 100, .publish_time = 90, .data = bytes_of(data)});
  writer->write({.topic = a, .log_time = 150, .publish_time = 150, .data = bytes_of(data)});
  writer->write({.topic = b, .log_time = 170, .publish_time = 170, .data = bytes_of(data)});
  writer->close();
}

TEST_F(RecordingFolder, WritesWhatItReads) {
  folder_ /= "my bag";
  write_recording(folder_ / "");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "my bag_0.mcap"));
  const auto reader = open_recording(folder_);
  ASSERT_EQ(reader->topics().size(), 2U);
  EXPECT_EQ(reader->topics()[0].qos, "- history: 1\n  reliability: 2");
  EXPECT_EQ(reader->topics()[0].definition, "int8 x");
  EXPECT_EQ(reader->first_time(), 100);
  EXPECT_EQ(reader->last_time(), 170);
  EXPECT_EQ(reader->message_count(), 3U);
  EXPECT_THAT(read_timed(*reader),
              ElementsAre(TimedMessage{"/b", 100, "data"}, TimedMessage{"/a \"b\"\n", 150, "data"},
                          TimedMessage{"/b", 170, "data"}));
  EXPECT_THAT(reader->warnings(), IsEmpty());
}

TEST_F(RecordingFolder, WritesMetadataAsRosbag2DoesInHumble) {
  folder_ /= "bag";
  write_recording(folder_);
  EXPECT_EQ(read_text(folder_ / "metadata.yaml"), R"(rosbag2_bagfile_information:
  version: 5
  storage_identifier: mcap
  duration:
    nanoseconds: 70
  starting_time:
    nanoseconds_since_epoch: 100
  message_count: 3
  topics_with_message_count:
    - topic_metadata:
        name: "/a \"b\"\n"
        type: "t/msg/A"
        serialization_format: "cdr"
        offered_qos_profiles: "- history: 1\n  reliability: 2"
      message_count: 1
    - topic_metadata:
        name: "/b"
        type: "t/msg/B"
        serialization_format: "cdr"
        offered_qos_profiles: ""
      message_count: 2
  compression_format: ""
  compression_mode: ""
  relative_file_paths:
    - "bag_0.mcap"
  files:
    - path: "bag_0.mcap"
      starting_time:
        nanoseconds_since_epoch: 100
      duration:
        nanoseconds: 70
      message_count: 3
)");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 2);
}

TEST_F(RecordingFolder, WritesARecordingWithoutMessages) {
  folder_ /= "bag";
  create_recording(folder_)->close();
  EXPECT_THAT(read(), IsEmpty());
  EXPECT_THAT(warnings_, IsEmpty());
  EXPECT_THAT(read_text(folder_ / "metadata.yaml"), HasSubstr("topics_with_message_count: []\n"));
}

TEST_F(RecordingFolder, DoesNotWriteIntoAFolderThatIsInUse) {
  std::ofstream(folder_ / "notes.txt") << "mine";
  EXPECT_THAT(refusal_of([&] { create_recording(folder_); }), HasSubstr("is not an empty folder"));
  EXPECT_THAT(refusal_of([&] { create_recording(folder_ / "notes.txt"); }), HasSubstr("notes.txt"));
  EXPECT_EQ(read_text(folder_ / "notes.txt"), "mine");
}

TEST_F(RecordingFolder, DecompressesMessagesOfMcapFilesToo) {
  folder_ /= "bag";
  const std::string message(1000, 'm');
  std::string frame(ZSTD_compressBound(message.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), message.data(), message.size(), 1));
  {
    const auto writer = create_recording(folder_);
    const int topic = writer->add_topic({.name = "/a", .type = "t/msg/A"});
    writer->write({.topic = topic, .log_time = 1, .data = bytes_of(frame)});
    frame.pop_back();
    writer->write({.topic = topic, .log_time = 2, .data = bytes_of(frame)});
    writer->close();
  }
  add_metadata({"bag_0.mcap"}, "  compression_format: zstd\n  compression_mode: MESSAGE\n");
  EXPECT_THAT(read(), ElementsAre(TimedMessage{"/a", 1, message}));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("at 2 ns is left out: it cannot be decompressed")));
}

TEST(RecordedFolders, HaveAllTheirMessages) {
  const char* root = std::getenv("OVF_DATA_DIR");
  if (root == nullptr) GTEST_SKIP() << "OVF_DATA_DIR is not set: it has the folder bags";
  const std::map<std::string, std::map<std::string, int>> expected{
      {"husky_mcap",
       {{"/imu/data", 11865}, {"/husky_velocity_controller/odom", 3952}, {"/fix", 989}}},
      {"nav2_mcap", {{"/odom", 2639}, {"/tf", 5422}, {"/tf_static", 1}, {"/amcl_pose", 135}}}};
  for (const auto& [name, counts] : expected) {
    const auto reader = open_recording(std::filesystem::path(root) / "bags" / name);
    std::map<std::string, int> found;
    for (const auto& message : read_timed(*reader)) ++found[message.topic];
    EXPECT_EQ(found, counts) << name;
    EXPECT_THAT(reader->warnings(), IsEmpty());
  }
}

}  // namespace
}  // namespace ovf::test
