#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "evaluation/temporary_folder.hpp"
#include "ovf/recording/sqlite_reader.hpp"
#include "recording/sqlite_file.hpp"

namespace ovf::test {
namespace {

constexpr std::size_t kPage = 512;
constexpr int kMessages = 400;

/// A recording over many small pages, of which parts are then destroyed.
class SqliteDamage : public testing::Test {
 protected:
  void record(bool index, std::size_t message_size = 20) {
    {
      SqliteFile file(path_, fmt::format("PRAGMA page_size = {};", kPage) + kNewTables);
      if (!index) file.run("DROP INDEX timestamp_idx");
      file.run("BEGIN; INSERT INTO topics VALUES (1, '/a', 't', 'cdr', '', '')");
      for (int i = 0; i < kMessages; ++i) {
        file.add_message(1, 1000 + i, fmt::format("{:0{}}", i, message_size));
      }
      file.run("COMMIT");
    }
    original_ = read_text(path_);
    messages_ = read_timed(*open_sqlite(path_));
    ASSERT_EQ(messages_.size(), static_cast<std::size_t>(kMessages));
  }

  struct Outcome {
    std::vector<TimedMessage> messages;
    std::vector<std::string> warnings;
  };

  /// Of a file with these bytes; a refusal is a warning without messages.
  Outcome read(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
    Outcome outcome;
    try {
      const auto reader = open_sqlite(path_);
      outcome.messages = read_timed(*reader);
      outcome.warnings = reader->warnings();
    } catch (const RecordingError& error) {
      outcome.warnings = {error.what()};
    }
    return outcome;
  }

  bool are_recorded(const std::vector<TimedMessage>& messages) const {
    const auto earlier = [](const auto& a, const auto& b) { return a.time < b.time; };
    return std::is_sorted(messages.begin(), messages.end(), earlier) &&
           std::includes(messages_.begin(), messages_.end(), messages.begin(), messages.end(),
                         earlier) &&
           std::all_of(messages.begin(), messages.end(), [&](const TimedMessage& message) {
             return std::find(messages_.begin(), messages_.end(), message) != messages_.end();
           });
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "bag_0.db3";
  std::string original_;
  std::vector<TimedMessage> messages_;
};

TEST_F(SqliteDamage, ATruncatedFileGivesTheMessagesBeforeItsEnd) {
  for (const bool index : {true, false}) {
    std::filesystem::remove(path_);
    record(index);
    std::size_t best = 0;
    for (std::size_t size = 0; size < original_.size(); size += 3 * kPage / 2 + 1) {
      const Outcome outcome = read(original_.substr(0, size));
      EXPECT_TRUE(are_recorded(outcome.messages)) << size;
      EXPECT_FALSE(outcome.warnings.empty()) << size;
      best = std::max(best, outcome.messages.size());
    }
    // Pages are filled in the order of time, so nearly all come before the last of them.
    EXPECT_GT(best, kMessages * 9 / 10);
  }
}

TEST_F(SqliteDamage, ATruncatedFileIsReadWithoutItsWriteAheadLog) {
  record(true);
  std::ofstream(path_.string() + "-wal") << std::string(1000, 'x');
  const Outcome outcome = read(original_.substr(0, original_.size() - 3 * kPage));
  EXPECT_GT(outcome.messages.size(), 0U);
  EXPECT_TRUE(are_recorded(outcome.messages));
  ASSERT_GE(outcome.warnings.size(), 2U);
  EXPECT_NE(outcome.warnings[0].find("-wal"), std::string::npos) << outcome.warnings[0];
}

TEST_F(SqliteDamage, ABrokenPageIsAWarningAndGivesNoWrongMessages) {
  for (const bool index : {true, false}) {
    std::filesystem::remove(path_);
    record(index);
    for (std::size_t page = 1; page < original_.size() / kPage; ++page) {
      std::string bytes = original_;
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(page * kPage), kPage, '\xff');
      const Outcome outcome = read(bytes);
      EXPECT_TRUE(are_recorded(outcome.messages)) << page;
      EXPECT_TRUE(outcome.messages == messages_ || !outcome.warnings.empty()) << page;
    }
  }
}

TEST_F(SqliteDamage, WithoutItsIndexAFileStillGivesAllMessages) {
  record(true);
  // The pages of the index are those that hold no message's text.
  std::string bytes = original_;
  int broken = 0;
  for (std::size_t page = 10; page < original_.size() / kPage; ++page) {
    // Leaf of an index.
    if (original_[page * kPage] != '\x0a') continue;
    if (++broken == 5) {
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(page * kPage), kPage, '\xff');
    }
  }
  ASSERT_GE(broken, 5);
  const Outcome outcome = read(bytes);
  EXPECT_EQ(outcome.messages, messages_);
  EXPECT_EQ(outcome.warnings.size(), 2U);
}

TEST_F(SqliteDamage, PagesThatLeadInCirclesComeToAnEnd) {
  for (const bool index : {true, false}) {
    std::filesystem::remove(path_);
    record(index);
    std::string bytes = original_;
    // Every child of an inner page of a tree becomes the first one.
    for (std::size_t page = 1; page < bytes.size() / kPage; ++page) {
      const std::size_t at = page * kPage;
      if (bytes[at] != '\x05' && bytes[at] != '\x02') continue;
      const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[at + i]); };
      const auto cell = [&](std::size_t i) {
        return std::size_t{byte(12 + 2 * i)} * 256 + byte(13 + 2 * i);
      };
      const std::size_t cells = std::size_t{byte(3)} * 256 + byte(4);
      const std::string child = bytes.substr(at + cell(0), 4);
      for (std::size_t i = 0; i < cells; ++i) bytes.replace(at + cell(i), 4, child);
      bytes.replace(at + 8, 4, child);
    }
    ASSERT_NE(bytes, original_);
    const Outcome outcome = read(bytes);
    EXPECT_TRUE(are_recorded(outcome.messages));
    EXPECT_LT(outcome.messages.size(), messages_.size());
    EXPECT_FALSE(outcome.warnings.empty());
  }
}

TEST_F(SqliteDamage, AnyByteMayBeWrong) {
  record(true, 600);
  for (std::size_t at = 0; at < 20 * kPage; at += 29) {
    std::string bytes = original_;
    bytes[at] = static_cast<char>(~bytes[at]);
    const Outcome outcome = read(bytes);
    EXPECT_LE(outcome.messages.size(), messages_.size()) << at;
  }
}

}  // namespace
}  // namespace ovf::test
