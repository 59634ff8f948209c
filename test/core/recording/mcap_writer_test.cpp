#include "ovf/recording/mcap_writer.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <stdexcept>

#include "evaluation/temporary_folder.hpp"
#include "recording/mcap_file.hpp"

namespace ovf {
namespace {

using test::bytes_of;
using test::read_all;
using test::ReadMessage;
using test::TemporaryFolder;

const Topic kOdom{"/odom",   "nav_msgs/msg/Odometry", "cdr", "float64 x\n===\nfloat64 y",
                  "ros2msg", "- history: 3\n"};
const Topic kImu{"/imu", "sensor_msgs/msg/Imu", "cdr", "float64 z", "ros2idl", ""};
const Topic kUntyped{"/raw", "", "json", "", "", ""};

std::vector<ReadMessage> write_some(const std::filesystem::path& path, const McapOptions& options,
                                    int count) {
  const auto writer = create_mcap(path, options);
  const std::vector<Topic> topics{kOdom, kImu, kUntyped};
  for (const Topic& topic : topics) writer->add_topic(topic);
  std::vector<ReadMessage> written;
  for (int k = 0; k < count; ++k) {
    const int topic = k % 3;
    const std::string data = std::string(static_cast<std::size_t>(k % 50), 'a') + std::to_string(k);
    writer->write({topic, 1000 + 7 * k, 900 + 5 * k, bytes_of(data)});
    written.push_back(
        {topics[static_cast<std::size_t>(topic)].name, 1000 + 7 * k, 900 + 5 * k, data});
  }
  writer->close();
  return written;
}

class McapCompression : public testing::TestWithParam<Compression> {};

TEST_P(McapCompression, GivesBackWhatWasWritten) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.mcap";
  const auto written = write_some(path, {GetParam(), 1000}, 500);

  const auto reader = open_mcap(path);
  ASSERT_EQ(reader->topics().size(), 3U);
  const Topic& odom = reader->topics()[0];
  EXPECT_EQ(odom.name, kOdom.name);
  EXPECT_EQ(odom.type, kOdom.type);
  EXPECT_EQ(odom.encoding, kOdom.encoding);
  EXPECT_EQ(odom.definition, kOdom.definition);
  EXPECT_EQ(odom.definition_encoding, kOdom.definition_encoding);
  EXPECT_EQ(odom.qos, kOdom.qos);
  EXPECT_EQ(reader->topics()[1].definition_encoding, "ros2idl");
  EXPECT_EQ(reader->topics()[2].type, "");
  EXPECT_EQ(reader->topics()[2].encoding, "json");
  EXPECT_EQ(reader->message_count(), 500U);
  EXPECT_EQ(reader->first_time(), 1000);
  EXPECT_EQ(reader->last_time(), 1000 + 7 * 499);
  EXPECT_EQ(read_all(*reader), written);
  EXPECT_TRUE(reader->warnings().empty());
}

TEST_P(McapCompression, GivesTheSameBytesForTheSameCalls) {
  const TemporaryFolder folder;
  write_some(folder.path() / "a.mcap", {GetParam(), 1000}, 300);
  write_some(folder.path() / "b.mcap", {GetParam(), 1000}, 300);
  EXPECT_EQ(test::read_text(folder.path() / "a.mcap"), test::read_text(folder.path() / "b.mcap"));
}

INSTANTIATE_TEST_SUITE_P(All, McapCompression,
                         testing::Values(Compression::kNone, Compression::kLz4,
                                         Compression::kZstd));

TEST(McapWriter, WritesTopicsWithoutMessages) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.mcap";
  const auto writer = create_mcap(path);
  writer->add_topic(kOdom);
  writer->close();
  const auto reader = open_mcap(path);
  ASSERT_EQ(reader->topics().size(), 1U);
  EXPECT_EQ(reader->message_count(), 0U);
  EXPECT_GT(reader->first_time(), reader->last_time());
  EXPECT_TRUE(read_all(*reader).empty());
  EXPECT_TRUE(reader->warnings().empty());
}

TEST(McapWriter, KeepsAMessageThatIsLargerThanAChunk) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.mcap";
  const auto writer = create_mcap(path, {Compression::kLz4, 100});
  writer->add_topic(kOdom);
  const std::string large(300'000, 'x');
  writer->write({0, 1, 1, bytes_of("small")});
  writer->write({0, 2, 2, bytes_of(large)});
  writer->write({0, 3, 3, {}});
  writer->close();
  const auto messages = read_all(*open_mcap(path));
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_EQ(messages[1].data, large);
  EXPECT_EQ(messages[2].data, "");
}

TEST(McapWriter, LeavesAReadableFileWithoutClose) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.mcap";
  {
    const auto writer = create_mcap(path);
    writer->add_topic(kOdom);
    writer->write({0, 5, 5, bytes_of("kept")});
  }
  const auto reader = open_mcap(path);
  EXPECT_EQ(reader->message_count(), 1U);
  EXPECT_EQ(test::data_of(read_all(*reader)), "kept");
  ASSERT_EQ(reader->warnings().size(), 1U);
  EXPECT_NE(reader->warnings()[0].find("it has no end"), std::string::npos);
}

TEST(McapWriter, RefusesAFileThatExists) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.mcap";
  test::write_bytes(path, "precious");
  EXPECT_THROW(create_mcap(path), RecordingError);
  EXPECT_EQ(test::read_text(path), "precious");
  EXPECT_THROW(create_mcap(folder.path() / "none" / "a.mcap"), RecordingError);
}

TEST(McapWriter, RefusesWrongCalls) {
  const TemporaryFolder folder;
  EXPECT_THROW(create_mcap(folder.path() / "b.mcap", {Compression::kNone, 0}),
               std::invalid_argument);
  EXPECT_THROW(create_mcap(folder.path() / "b.mcap", {Compression::kNone, std::size_t{1} << 40}),
               std::invalid_argument);
  const auto writer = create_mcap(folder.path() / "a.mcap");
  EXPECT_THROW(writer->write({0, 1, 1, {}}), std::invalid_argument);
  writer->add_topic(kOdom);
  EXPECT_THROW(writer->add_topic(kOdom), std::invalid_argument);
  EXPECT_THROW(writer->add_topic(Topic{}), std::invalid_argument);
  EXPECT_THROW(writer->write({1, 1, 1, {}}), std::invalid_argument);
  EXPECT_THROW(writer->write({-1, 1, 1, {}}), std::invalid_argument);
  EXPECT_THROW(writer->write({0, -1, 1, {}}), std::invalid_argument);
  EXPECT_THROW(writer->write({0, 1, -1, {}}), std::invalid_argument);
  writer->write({0, 1, 1, bytes_of("good")});
  writer->close();
  writer->close();
  EXPECT_THROW(writer->add_topic(kImu), std::invalid_argument);
  EXPECT_THROW(writer->write({0, 1, 1, {}}), std::invalid_argument);
  EXPECT_EQ(test::data_of(read_all(*open_mcap(folder.path() / "a.mcap"))), "good");
}

// A limit on the size of files, which acts like a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_ = {};
};

TEST(McapWriter, SaysThatTheDiskIsFullAndLeavesAReadableFile) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.mcap";
  constexpr int kCount = 1000;
  int accepted = 0;
  std::string complaint;
  {
    const FileSizeLimit limit(20'000);
    const auto writer = create_mcap(path, {Compression::kNone, 2000});
    writer->add_topic(kOdom);
    try {
      for (; accepted < kCount; ++accepted) {
        writer->write({0, accepted, accepted, bytes_of(std::string(100, 'x'))});
      }
    } catch (const RecordingError& error) {
      complaint = error.what();
    }
    EXPECT_THROW(writer->write({0, 1, 1, {}}), RecordingError);
    EXPECT_THROW(writer->close(), RecordingError);
  }
  EXPECT_NE(complaint.find(path.string()), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("File too large"), std::string::npos) << complaint;
  ASSERT_LT(accepted, kCount);

  const auto reader = open_mcap(path);
  const auto messages = read_all(*reader);
  // All but what the last chunk lost.
  EXPECT_GE(static_cast<int>(messages.size()), accepted - 2000 / 131 - 1);
  EXPECT_LE(static_cast<int>(messages.size()), accepted);
  for (std::size_t k = 0; k < messages.size(); ++k) {
    EXPECT_EQ(messages[k].log_time, static_cast<std::int64_t>(k));
  }
  EXPECT_FALSE(reader->warnings().empty());
}

TEST(McapWriter, SaysSoWhenOnlyTheSummaryFindsNoRoom) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.mcap";
  {
    const auto writer = create_mcap(path, {Compression::kNone, 1000});
    writer->add_topic(kOdom);
    writer->write({0, 1, 1, bytes_of(std::string(900, 'x'))});
    writer->write({0, 2, 2, bytes_of(std::string(900, 'y'))});  // has the first one written
    const FileSizeLimit limit(std::filesystem::file_size(path) + 1100);
    EXPECT_THROW(writer->close(), RecordingError);
  }
  EXPECT_EQ(read_all(*open_mcap(path)).size(), 2U);
}

}  // namespace
}  // namespace ovf
