#include "ovf/recording/mcap_reader.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "evaluation/temporary_folder.hpp"
#include "ovf/recording/mcap_writer.hpp"
#include "recording/mcap_file.hpp"

namespace ovf {
namespace {

using test::bytes_of;
using test::data_of;
using test::McapText;
using test::read_all;
using test::TemporaryFolder;

class McapReader : public testing::Test {
 protected:
  std::unique_ptr<RecordingReader> open(const std::string& bytes, const ReadOptions& options = {}) {
    test::write_bytes(path_, bytes);
    return open_mcap(path_, options);
  }
  // Each text is a chunk, each of its letters a message; the log time is the place in the alphabet.
  std::unique_ptr<RecordingReader> open_chunks(const std::vector<std::string>& chunks,
                                               const ReadOptions& options = {}) {
    std::filesystem::remove(path_);
    const auto writer =
        create_mcap(path_, {Compression::kZstd, 32 * std::string_view(chunks.front()).size()});
    writer->add_topic({"/upper", "a/msg/A"});
    writer->add_topic({"/lower", "a/msg/A"});
    for (const std::string& chunk : chunks) {
      EXPECT_EQ(chunk.size(), chunks.front().size());
      for (const char letter : chunk) {
        const bool upper = letter < 'a';
        writer->write({upper ? 0 : 1, upper ? letter - 'A' : letter - 'a', 0,
                       bytes_of(std::string(1, letter))});
      }
    }
    writer->close();
    return open_mcap(path_, options);
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "a.mcap";
};

std::string start() {
  return McapText::head() + McapText::schema(1, "nav_msgs/Odometry") +
         McapText::channel(1, 1, "/odom");
}

void expect_warning(const RecordingReader& reader, const std::string& words) {
  for (const std::string& warning : reader.warnings()) {
    if (warning.find(words) != std::string::npos) return;
  }
  ADD_FAILURE() << "no warning says: " << words
                << (reader.warnings().empty() ? "" : "; the first is: " + reader.warnings()[0]);
}

TEST_F(McapReader, MergesChunksThatOverlapInTime) {
  const auto reader = open_chunks({"acn", "beg", "dfz"});
  EXPECT_EQ(data_of(read_all(*reader)), "abcdefgnz");
  EXPECT_TRUE(reader->warnings().empty());
}

TEST_F(McapReader, SortsWithinAChunk) {
  EXPECT_EQ(data_of(read_all(*open_chunks({"dcab", "hgfe"}))), "abcdefgh");
}

TEST_F(McapReader, KeepsTheOrderOfTheFileForMessagesOfOneTime) {
  EXPECT_EQ(data_of(read_all(*open_chunks({"Bba", "bAB", "Aab"}))), "aAAaBbbBb");
}

TEST_F(McapReader, ReadsTheTopicsAskedFor) {
  ReadOptions options;
  options.topics = {"/upper"};
  const auto reader = open_chunks({"aBc", "def", "GhI"}, options);
  EXPECT_EQ(reader->topics().size(), 2U);
  EXPECT_EQ(reader->message_count(), 9U);
  EXPECT_EQ(data_of(read_all(*reader)), "BGI");
  options.topics = {"/other"};
  EXPECT_EQ(data_of(read_all(*open_chunks({"aBc", "def"}, options))), "");
}

TEST_F(McapReader, ReadsTheTimesAskedFor) {
  ReadOptions options;
  options.start = 1;
  options.end = 4;
  EXPECT_EQ(data_of(read_all(*open_chunks({"acz", "bde", "fgh"}, options))), "bcd");
  options.start = 5;
  EXPECT_EQ(data_of(read_all(*open_chunks({"acz", "bde", "fgh"}, options))), "");
  options = {};
  options.start = 5;
  EXPECT_EQ(data_of(read_all(*open_chunks({"acz", "bde", "fgh"}, options))), "fghz");
}

TEST_F(McapReader, DoesNotTouchChunksOutsideOfTheOptions) {
  open_chunks({"abc", "def", "GHI"});
  std::string bytes = test::read_text(path_);
  // Every chunk but the second is damaged, which shows if one is opened.
  std::size_t at = 0;
  for (int k = 0; k < 3; ++k) {
    at = bytes.find("zstd", at + 1);
    ASSERT_NE(at, std::string::npos);
    if (k != 1) bytes[at] = 'Z';
  }
  ReadOptions options;
  options.topics = {"/lower"};
  options.start = 3;
  const auto reader = open(bytes, options);
  EXPECT_EQ(data_of(read_all(*reader)), "def");
  EXPECT_TRUE(reader->warnings().empty());
}

TEST_F(McapReader, SkipsADamagedChunkAndSaysWhatIsLost) {
  open_chunks({"abc", "def", "ghi"});
  std::string bytes = test::read_text(path_);
  const std::size_t second = bytes.find("zstd", bytes.find("zstd") + 1);
  bytes[second + 4 + 8 + 20] ^= 1;
  const auto reader = open(bytes);
  EXPECT_EQ(data_of(read_all(*reader)), "abcghi");
  ASSERT_EQ(reader->warnings().size(), 1U);
  expect_warning(*reader, "3 messages are lost");
  expect_warning(*reader, "chunk at byte");
}

TEST_F(McapReader, ReadsMessagesOutsideOfChunks) {
  const auto reader = open(start() + McapText::message(1, 10, "a") + McapText::message(1, 20, "b") +
                           McapText::data_end() + McapText::footer());
  EXPECT_EQ(reader->message_count(), 2U);
  EXPECT_EQ(reader->first_time(), 10);
  EXPECT_EQ(reader->last_time(), 20);
  ASSERT_EQ(reader->topics().size(), 1U);
  EXPECT_EQ(reader->topics()[0].type, "nav_msgs/msg/Odometry");
  EXPECT_EQ(reader->topics()[0].qos, "- depth: 1");
  EXPECT_EQ(data_of(read_all(*reader)), "ab");
  EXPECT_TRUE(reader->warnings().empty());
}

TEST_F(McapReader, MergesMessagesOutsideOfChunksWithTheChunks) {
  const auto reader = open(
      start() + McapText::chunk(McapText::message(1, 10, "a") + McapText::message(1, 40, "d")) +
      McapText::message(1, 20, "b") + McapText::chunk(McapText::message(1, 30, "c")) +
      McapText::message(1, 30, "C") + McapText::message(1, 50, "e") + McapText::footer());
  EXPECT_EQ(reader->message_count(), 6U);
  EXPECT_EQ(data_of(read_all(*reader)), "abcCde");
  EXPECT_TRUE(reader->warnings().empty());
}

TEST_F(McapReader, KeepsUnsortedMessagesOutsideOfChunksInTheOrderOfTheFile) {
  const std::string messages =
      McapText::message(1, 30, "a") + McapText::message(1, 10, "b") + McapText::message(1, 20, "c");
  auto reader = open(start() + messages + McapText::footer());
  EXPECT_EQ(reader->first_time(), 10);
  EXPECT_EQ(data_of(read_all(*reader)), "abc");
  expect_warning(*reader, "order of the file");
  ReadOptions options;
  options.end = 25;
  EXPECT_EQ(data_of(read_all(*open(start() + messages + McapText::footer(), options))), "bc");
}

TEST_F(McapReader, FindsMessagesThatTheSummaryLeavesOut) {
  const std::string chunk = McapText::chunk(McapText::message(1, 10, "a"));
  const std::string data = start() + chunk + McapText::message(1, 20, "b") +
                           McapText::chunk(McapText::message(1, 30, "c")) + McapText::data_end();
  const std::string summary = McapText::schema(1, "nav_msgs/Odometry") +
                              McapText::channel(1, 1, "/odom") +
                              McapText::chunk_index(10, 10, start().size(), chunk.size(), 32);
  const auto reader = open(data + summary + McapText::footer(data.size()));
  EXPECT_EQ(data_of(read_all(*reader)), "abc");
  EXPECT_TRUE(reader->warnings().empty());
}

TEST_F(McapReader, GoesOverTheFileIfTheSummaryHasNoChannels) {
  const std::string chunk = McapText::chunk(McapText::message(1, 10, "a"));
  const std::string data = start() + chunk + McapText::data_end();
  const std::string index = McapText::chunk_index(10, 10, start().size(), chunk.size(), 32);
  const auto reader = open(data + index + McapText::footer(data.size()));
  EXPECT_EQ(data_of(read_all(*reader)), "a");
}

TEST_F(McapReader, WarnsOfASummaryWhoseTimesAreWrong) {
  const std::string chunk =
      McapText::chunk(McapText::message(1, 10, "a") + McapText::message(1, 90, "b"));
  const std::string data = start() + chunk + McapText::data_end();
  const std::string summary = McapText::schema(1, "nav_msgs/Odometry") +
                              McapText::channel(1, 1, "/odom") +
                              McapText::chunk_index(20, 30, start().size(), chunk.size(), 64);
  const auto reader = open(data + summary + McapText::footer(data.size()));
  EXPECT_EQ(data_of(read_all(*reader)), "ab");
  expect_warning(*reader, "out of order");
}

TEST_F(McapReader, TakesChannelsOfOneTopicTogether) {
  const auto reader =
      open(start() + McapText::channel(2, 1, "/odom") + McapText::schema(7, "other/msg/Type") +
           McapText::channel(3, 7, "/odom") + McapText::channel(4, 0, "/raw") +
           McapText::message(2, 1, "a") + McapText::message(3, 2, "b") +
           McapText::message(1, 3, "c") + McapText::message(4, 4, "d") + McapText::footer());
  ASSERT_EQ(reader->topics().size(), 3U);
  EXPECT_EQ(reader->topics()[0].type, "nav_msgs/msg/Odometry");
  EXPECT_EQ(reader->topics()[1].name, "/odom");
  EXPECT_EQ(reader->topics()[1].type, "other/msg/Type");
  EXPECT_EQ(reader->topics()[2].type, "");
  expect_warning(*reader, "topic /odom has several types");
  std::vector<int> topics;
  RecordedMessage message;
  while (reader->next(message)) topics.push_back(message.topic);
  EXPECT_EQ(topics, (std::vector<int>{0, 1, 0, 2}));
}

TEST_F(McapReader, LeavesOutMessagesWithoutChannelOrTime) {
  const std::string messages = McapText::message(9, 1, "x") + McapText::message(1, 2, "a") +
                               McapText::message(1, std::uint64_t{1} << 63, "y");
  for (const std::string& part : {messages, McapText::chunk(messages)}) {
    const auto reader = open(start() + part + McapText::footer());
    EXPECT_EQ(data_of(read_all(*reader)), "a");
    EXPECT_EQ(reader->warnings().size(), 2U);
  }
}

class McapReaderSlow : public McapReader {};

TEST_F(McapReaderSlow, ReadsChunkByChunkIfTooManyOverlap) {
  // Five chunks of 60 MiB, each of a small and a large message from time k to time 10.
  const std::string large(std::size_t{60} << 20, '\0');
  const auto writer = create_mcap(path_, {Compression::kLz4, large.size() + 64});
  writer->add_topic({"/large", "a/msg/A"});
  for (int k = 5; k > 0; --k) {
    writer->write({0, k, 0, bytes_of(std::to_string(k))});
    writer->write({0, 10, 0, bytes_of(large)});
  }
  writer->close();
  const auto reader = open_mcap(path_);
  expect_warning(*reader, "300 MiB together overlap");
  std::vector<std::int64_t> times;
  RecordedMessage message;
  while (reader->next(message)) times.push_back(message.log_time);
  EXPECT_EQ(times, (std::vector<std::int64_t>{5, 10, 4, 10, 3, 10, 2, 10, 1, 10}));
}

TEST_F(McapReader, ReadsTheRealRecordings) {
  const char* root = std::getenv("OVF_DATA_DIR");
  if (root == nullptr) GTEST_SKIP() << "OVF_DATA_DIR is not set: it has the folder bags";
  using Counts = std::map<std::string, int>;
  const std::map<std::string, Counts> expected{
      {"husky_mcap/husky_ros2_mcap_0.mcap",
       {{"/imu/data", 11865}, {"/husky_velocity_controller/odom", 3952}, {"/fix", 989}}},
      {"nav2_mcap/nav2_turtlebot.mcap",
       {{"/odom", 2639}, {"/tf", 5422}, {"/tf_static", 1}, {"/amcl_pose", 135}}}};
  for (const auto& [file, counts] : expected) {
    const auto path = std::filesystem::path(root) / "bags" / file;
    const auto reader = open_mcap(path);
    Counts found;
    std::int64_t last = reader->first_time();
    const auto messages = read_all(*reader);
    EXPECT_EQ(reader->message_count(), messages.size());
    for (const auto& message : messages) {
      ++found[message.topic];
      EXPECT_GE(message.log_time, last);
      last = message.log_time;
    }
    EXPECT_EQ(found, counts);
    EXPECT_EQ(last, reader->last_time());
    EXPECT_TRUE(reader->warnings().empty());

    // Without its end it takes another way to the same messages.
    std::string bytes = test::read_text(path);
    bytes.resize(bytes.size() - 8);
    const auto unfinished = open(bytes);
    EXPECT_EQ(unfinished->message_count(), messages.size());
    EXPECT_EQ(read_all(*unfinished), messages);
  }
}

}  // namespace
}  // namespace ovf
