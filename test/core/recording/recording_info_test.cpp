#include "ovf/recording/recording_info.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/temporary_folder.hpp"
#include "recording/sqlite_file.hpp"

namespace ovf::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t kSecond = 1'000'000'000;

class RecordingInfoTest : public testing::Test {
 protected:
  RecordingInfoTest() {
    SqliteFile file(path_, kNewTables);
    file.run(
        "INSERT INTO topics VALUES (1, '/odom', 'nav_msgs/msg/Odometry', 'cdr', '', ''),"
        " (2, '/once', 't/msg/A', 'cdr', '', ''), (3, '/never', 't/msg/A', 'cdr', '', '')");
    for (const std::int64_t time : {10, 11, 15, 16}) file.add_message(1, time * kSecond, "x");
    file.add_message(2, 12 * kSecond, "x");
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "bag_0.db3";
};

TEST_F(RecordingInfoTest, CountsMeasuresRatesAndFindsGaps) {
  const RecordingInfo info = inspect_recording(folder_.path());
  EXPECT_EQ(info.files, 1);
  EXPECT_EQ(info.bytes, std::filesystem::file_size(path_));
  EXPECT_EQ(info.count, 5U);
  EXPECT_EQ(info.first_time, 10 * kSecond);
  EXPECT_EQ(info.last_time, 16 * kSecond);
  EXPECT_DOUBLE_EQ(info.duration, 6.0);
  EXPECT_THAT(info.warnings, IsEmpty());
  ASSERT_EQ(info.topics.size(), 3U);
  EXPECT_EQ(info.topics[0].name, "/odom");
  EXPECT_EQ(info.topics[0].count, 4U);
  EXPECT_DOUBLE_EQ(info.topics[0].rate, 0.5);
  EXPECT_DOUBLE_EQ(info.topics[0].longest_gap, 4.0);
  EXPECT_EQ(info.topics[0].longest_gap_start, 11 * kSecond);
  EXPECT_EQ(info.topics[1].count, 1U);
  EXPECT_EQ(info.topics[1].rate, 0.0);
  EXPECT_EQ(info.topics[2].count, 0U);
}

TEST_F(RecordingInfoTest, IsAnAlignedTable) {
  RecordingInfo info = inspect_recording(path_);
  info.path = "bag";
  info.bytes = 12'340'000;
  info.warnings = {"first\x1b[31m"};
  EXPECT_EQ(to_text(info), R"(recording  bag (1 file, 12.3 MB)
start      1970-01-01T00:00:10.000000000Z
end        1970-01-01T00:00:16.000000000Z
duration   6.000 s
messages   5

topic   type                   messages  rate [Hz]  longest gap [s]  after [s]
──────  ─────────────────────  ────────  ─────────  ───────────────  ─────────
/odom   nav_msgs/msg/Odometry         4       0.50            4.000      1.000
/once   t/msg/A                       1
/never  t/msg/A                       0

warning: first\x1b[31m
)");
}

TEST_F(RecordingInfoTest, CopesWithTheFirstAndTheLastOfAllTimes) {
  {
    SqliteFile file(path_);
    file.run("DELETE FROM messages");
    file.add_message(1, INT64_MIN, "x");
    file.add_message(1, INT64_MAX, "x");
  }
  const RecordingInfo info = inspect_recording(path_);
  EXPECT_EQ(info.count, 2U);
  EXPECT_NEAR(info.duration, 18446744073.7, 0.1);
  EXPECT_THAT(to_text(info), HasSubstr("start      1677-09-21T00:12:43.145224192Z\n"
                                       "end        2262-04-11T23:47:16.854775807Z\n"));
}

TEST_F(RecordingInfoTest, TellsOfARecordingWithoutMessages) {
  SqliteFile(path_).run("DELETE FROM messages; DELETE FROM topics");
  const std::string text = to_text(inspect_recording(path_));
  EXPECT_THAT(text, HasSubstr("messages   0\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("start")));
}

}  // namespace
}  // namespace ovf::test
