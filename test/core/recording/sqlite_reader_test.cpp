#include "ovf/recording/sqlite_reader.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <fstream>

#include "evaluation/temporary_folder.hpp"
#include "recording/sqlite_file.hpp"

namespace ovf::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const char* const kOldTopic =
    "INSERT INTO topics VALUES (1, '/odom', 'nav_msgs/msg/Odometry', 'cdr');";
const char* const kNewTopics =
    "INSERT INTO topics VALUES (1, '/odom', 'nav_msgs/msg/Odometry', 'cdr', '- history: 3', 'h');"
    "INSERT INTO topics VALUES (7, '/imu', 'sensor_msgs/msg/Imu', 'cdr', '', 'h');"
    "INSERT INTO message_definitions VALUES"
    " (1, 'sensor_msgs/msg/Imu', 'ros2msg', 'float64 x', 'h');";

class SqliteReader : public testing::Test {
 protected:
  std::vector<TimedMessage> read(const ReadOptions& options = {}) {
    const auto reader = open_sqlite(path_, options);
    auto messages = read_timed(*reader);
    warnings_ = reader->warnings();
    return messages;
  }

  std::string refusal() {
    return refusal_of([&] { open_sqlite(path_); });
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "bag_0.db3";
  std::vector<std::string> warnings_;
};

TEST_F(SqliteReader, ReadsTheFirstSchema) {
  SqliteFile(path_, std::string(kOldTables) + kOldTopic).add_message(1, 5, "abc");
  const auto reader = open_sqlite(path_);
  ASSERT_EQ(reader->topics().size(), 1U);
  EXPECT_EQ(reader->topics()[0].name, "/odom");
  EXPECT_EQ(reader->topics()[0].type, "nav_msgs/msg/Odometry");
  EXPECT_EQ(reader->topics()[0].encoding, "cdr");
  EXPECT_EQ(reader->topics()[0].qos, "");
  EXPECT_EQ(reader->topics()[0].definition, "");
  EXPECT_THAT(read_timed(*reader), ElementsAre(TimedMessage{"/odom", 5, "abc"}));
  EXPECT_THAT(reader->warnings(), IsEmpty());
}

TEST_F(SqliteReader, ReadsProfilesAndDefinitionsOfTheNewestSchema) {
  SqliteFile(path_, std::string(kNewTables) + kNewTopics).add_message(7, 5, "abc");
  const auto reader = open_sqlite(path_);
  ASSERT_EQ(reader->topics().size(), 2U);
  EXPECT_EQ(reader->topics()[0].qos, "- history: 3");
  EXPECT_EQ(reader->topics()[0].definition, "");
  EXPECT_EQ(reader->topics()[1].definition, "float64 x");
  EXPECT_EQ(reader->topics()[1].definition_encoding, "ros2msg");
  EXPECT_THAT(read_timed(*reader), ElementsAre(TimedMessage{"/imu", 5, "abc"}));
}

TEST_F(SqliteReader, GivesMessagesInTheOrderOfTimeWithAndWithoutAnIndex) {
  for (const bool index : {false, true}) {
    std::filesystem::remove(path_);
    {
      SqliteFile file(path_, std::string(kOldTables) + kOldTopic);
      if (index) file.run("CREATE INDEX timestamp_idx ON messages (timestamp ASC)");
      file.add_message(1, 30, "c");
      file.add_message(1, -10, "a");
      file.add_message(1, 20, "b1");
      file.add_message(1, 20, "b2");
    }
    EXPECT_THAT(read(),
                ElementsAre(TimedMessage{"/odom", -10, "a"}, TimedMessage{"/odom", 20, "b1"},
                            TimedMessage{"/odom", 20, "b2"}, TimedMessage{"/odom", 30, "c"}));
    EXPECT_THAT(warnings_, IsEmpty());
  }
}

TEST_F(SqliteReader, ReadsOnlyTheTopicsAndTimesAskedFor) {
  {
    SqliteFile file(path_, std::string(kNewTables) + kNewTopics);
    for (int time = 0; time < 6; ++time) file.add_message(time % 2 == 0 ? 1 : 7, time, "x");
  }
  EXPECT_THAT(read({.topics = {"/imu", "/none"}, .start = 1, .end = 5}),
              ElementsAre(TimedMessage{"/imu", 1, "x"}, TimedMessage{"/imu", 3, "x"}));
}

TEST_F(SqliteReader, KnowsTimesAndCountBeforeItReads) {
  {
    SqliteFile file(path_, std::string(kNewTables) + kNewTopics);
    file.add_message(1, 50, "x");
    file.add_message(1, -3, "x");
  }
  const auto reader = open_sqlite(path_, {.topics = {"/imu"}});
  EXPECT_EQ(reader->first_time(), -3);
  EXPECT_EQ(reader->last_time(), 50);
  EXPECT_EQ(reader->message_count(), 2U);
}

TEST_F(SqliteReader, ReadsAFileWithoutMessages) {
  SqliteFile(path_, std::string(kNewTables) + kNewTopics);
  const auto reader = open_sqlite(path_);
  EXPECT_GT(reader->first_time(), reader->last_time());
  EXPECT_EQ(reader->message_count(), 0U);
  EXPECT_THAT(read_timed(*reader), IsEmpty());
  EXPECT_THAT(reader->warnings(), IsEmpty());
}

TEST_F(SqliteReader, ReadsMessagesLargerThanAPage) {
  const std::string large(100'000, 'x');
  {
    SqliteFile file(path_, std::string(kNewTables) + kNewTopics);
    file.add_message(1, 1, large);
    file.add_message(1, 2, "");
  }
  EXPECT_THAT(read(), ElementsAre(TimedMessage{"/odom", 1, large}, TimedMessage{"/odom", 2, ""}));
}

TEST_F(SqliteReader, OpensPathsWithCharactersThatMeanSomethingInAnUri) {
  path_ = folder_.path() / "a b?c#d%20e&.db3";
  SqliteFile(path_, std::string(kOldTables) + kOldTopic).add_message(1, 5, "abc");
  EXPECT_EQ(read().size(), 1U);
}

TEST_F(SqliteReader, LeavesNothingBesideTheFile) {
  SqliteFile(path_, std::string(kNewTables) + kNewTopics).add_message(1, 5, "abc");
  const std::string before = read_text(path_);
  EXPECT_EQ(read().size(), 1U);
  EXPECT_EQ(read_text(path_), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(SqliteReader, ReadsTheWriteAheadLogOfARecorderThatStillRuns) {
  SqliteFile recorder(path_, std::string("PRAGMA journal_mode = WAL;") + kNewTables + kNewTopics);
  recorder.add_message(1, 5, "abc");
  ASSERT_TRUE(std::filesystem::exists(path_.string() + "-wal"));
  EXPECT_EQ(read().size(), 1U);
}

TEST_F(SqliteReader, TellsOfAnInterruptedRecorder) {
  SqliteFile(path_, std::string(kNewTables) + kNewTopics).add_message(1, 5, "abc");
  std::ofstream(path_.string() + "-journal") << "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
  EXPECT_EQ(read().size(), 1U);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("the recorder was interrupted")));
}

TEST_F(SqliteReader, LeavesOutRowsThatAreNotMessages) {
  {
    SqliteFile file(path_,
                    "CREATE TABLE topics(id, name, type, serialization_format);"
                    "CREATE TABLE messages(id, topic_id, timestamp, data);"
                    "INSERT INTO topics VALUES (1, '/odom', 't', 'cdr'), (2, 5, 't', 'cdr'),"
                    " (NULL, '/a', 't', 'cdr'), (1, '/again', 't', 'cdr');"
                    "INSERT INTO messages VALUES (1, 1, 1, x'61'), (2, 1, 2, NULL),"
                    " (3, 1, 3, 'text'), (4, 1, 4, 17), (5, 99, 5, x'62'), (6, 1, 'late', x'63'),"
                    " (7, NULL, 7, x'64'), (8, 1, NULL, x'65'), (9, 1, 9.5, x'66'),"
                    " (10, 1, 10, x'67');");
  }
  EXPECT_THAT(read(), ElementsAre(TimedMessage{"/odom", 1, "a"}, TimedMessage{"/odom", 10, "g"}));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("3 rows of its table topics"),
                                     HasSubstr("message 2 at 2 ns is left out: its data are not"),
                                     HasSubstr("4 messages in all are left out"),
                                     HasSubstr("4 messages without a time or a topic")));
}

TEST_F(SqliteReader, DecompressesMessagesThatWereCompressedOneByOne) {
  const std::string message(300'000, 'm');
  std::string frame(ZSTD_compressBound(message.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), message.data(), message.size(), 1));
  {
    SqliteFile file(path_, std::string(kNewTables) + kNewTopics);
    file.add_message(1, 1, frame);
    file.add_message(1, 2, frame.substr(0, frame.size() - 3));
    file.add_message(1, 3, "plain");
  }
  EXPECT_THAT(read(),
              ElementsAre(TimedMessage{"/odom", 1, message}, TimedMessage{"/odom", 3, "plain"}));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("cannot be decompressed")));
}

TEST_F(SqliteReader, SaysWhyAFileIsNoRecording) {
  EXPECT_THAT(refusal(), HasSubstr("cannot be reached"));
  std::ofstream(path_) << std::string(4096, 'x');
  EXPECT_THAT(refusal(), HasSubstr("is not an SQLite database"));
  std::ofstream(path_, std::ios::trunc).flush();
  EXPECT_THAT(refusal(), HasSubstr("has no table topics"));
  SqliteFile(path_, "CREATE TABLE topics(id, name, type)");
  EXPECT_THAT(refusal(), HasSubstr("has no column serialization_format in its table topics"));
  SqliteFile(path_, "DROP TABLE topics; CREATE TABLE topics(id, name, type, serialization_format)");
  EXPECT_THAT(refusal(), HasSubstr("has no table messages"));
  SqliteFile(path_, "CREATE TABLE messages(id, topic_id, timestamp)");
  EXPECT_THAT(refusal(), HasSubstr("has no column data in its table messages"));
  EXPECT_THAT(refusal(), HasSubstr(path_.string()));
  path_ = folder_.path();
  EXPECT_THAT(refusal(), HasSubstr("is not a file"));
}

TEST_F(SqliteReader, RunsNothingThatTheFileBrings) {
  const std::string topics = "CREATE TABLE topics(id, name, type, serialization_format);";
  const std::string endless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i, i, i FROM n;";
  for (const std::string& messages :
       {std::string("CREATE VIEW messages(id, topic_id, timestamp, data) AS ") + endless,
        std::string("CREATE VIRTUAL TABLE messages USING fts5(id, topic_id, timestamp, data);"),
        std::string("CREATE TABLE messages(id, topic_id, timestamp,"
                    " data AS (zeroblob(900000000)));")}) {
    std::filesystem::remove(path_);
    SqliteFile(path_, topics + messages);
    EXPECT_NE(refusal(), "accepted") << messages;
  }
}

}  // namespace
}  // namespace ovf::test
