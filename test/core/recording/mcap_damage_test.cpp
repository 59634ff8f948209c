#include <gtest/gtest.h>

#include <algorithm>

#include "evaluation/temporary_folder.hpp"
#include "ovf/recording/mcap_reader.hpp"
#include "ovf/recording/mcap_writer.hpp"
#include "recording/mcap_file.hpp"

namespace ovf {
namespace {

using test::bytes_of;
using test::McapText;
using test::read_all;
using test::ReadMessage;
using test::TemporaryFolder;

class McapDamage : public testing::Test {
 protected:
  std::string small_file(Compression compression) {
    std::filesystem::remove(path_);
    const auto writer = create_mcap(path_, {compression, 120});
    writer->add_topic({"/odom", "nav_msgs/msg/Odometry", "cdr", "float64 x", "ros2msg", ""});
    writer->add_topic({"/imu", "sensor_msgs/msg/Imu", "cdr", "float64 y", "ros2msg", ""});
    for (int k = 0; k < 8; ++k) {
      writer->write({k % 2, 100 + k, 100 + k, bytes_of("message " + std::to_string(k))});
    }
    writer->close();
    return test::read_text(path_);
  }
  // Anything but messages and RecordingError fails the test. None: refused.
  std::vector<ReadMessage> read(const std::string& bytes, bool& refused) {
    test::write_bytes(path_, bytes);
    refused = false;
    try {
      const auto reader = open_mcap(path_);
      auto messages = read_all(*reader);
      warnings_ = reader->warnings();
      return messages;
    } catch (const RecordingError& error) {
      EXPECT_NE(std::string(error.what()).find(path_.string()), std::string::npos);
      refused = true;
    }
    return {};
  }
  bool warned_of(const std::string& words) const {
    return std::any_of(warnings_.begin(), warnings_.end(), [&](const std::string& warning) {
      return warning.find(words) != std::string::npos;
    });
  }
  std::string complaint(const std::string& bytes) {
    test::write_bytes(path_, bytes);
    try {
      open_mcap(path_);
    } catch (const RecordingError& error) {
      return error.what();
    }
    return "accepted";
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "a.mcap";
  std::vector<std::string> warnings_ = {};
};

constexpr std::size_t kMagicSize = 8;
const std::vector<Compression> kCompressions{Compression::kNone, Compression::kLz4,
                                             Compression::kZstd};

TEST_F(McapDamage, ReadsWhatIsThereWhereverTheFileIsCutOff) {
  for (const Compression compression : kCompressions) {
    const std::string whole = small_file(compression);
    bool refused = false;
    const auto all = read(whole, refused);
    ASSERT_EQ(all.size(), 8U);
    std::size_t before = 0;
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto messages = read(whole.substr(0, size), refused);
      ASSERT_EQ(refused, size < kMagicSize) << size;
      ASSERT_LE(messages.size(), all.size());
      EXPECT_TRUE(std::equal(messages.begin(), messages.end(), all.begin())) << size;
      EXPECT_GE(messages.size(), before) << size;
      EXPECT_TRUE(refused || !warnings_.empty()) << size;
      before = messages.size();
    }
    EXPECT_EQ(before, all.size());
  }
}

TEST_F(McapDamage, NeverGivesDamagedMessagesWithoutAWarning) {
  for (const Compression compression : kCompressions) {
    const std::string whole = small_file(compression);
    bool refused = false;
    const auto all = read(whole, refused);
    std::size_t lossless = 0;
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (const int mask : {0x01, 0xff}) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ mask);
        const auto messages = read(bytes, refused);
        EXPECT_EQ(refused, at < kMagicSize) << at;
        // Chunks are under checksums: what comes of them is part of what was written. A channel,
        // which is outside of them, may turn into a message, but not unnoticed.
        std::size_t k = 0;
        for (const ReadMessage& message : all) {
          if (k < messages.size() && messages[k] == message) ++k;
        }
        EXPECT_TRUE(k == messages.size() || (k == all.size() && warned_of("outside of chunks")))
            << "byte " << at << " xor " << mask;
        EXPECT_TRUE(messages.size() == all.size() || refused || !warnings_.empty()) << at;
        lossless += messages.size() == all.size() ? 1 : 0;
      }
    }
    // The summary makes up for a good part of the damage, and the data for damage to the summary.
    EXPECT_GT(lossless, whole.size());
  }
}

TEST_F(McapDamage, RefusesWhatIsNoMcapFile) {
  EXPECT_NE(complaint("").find("it is empty"), std::string::npos);
  EXPECT_NE(complaint("SQLite format 3").find("eight bytes"), std::string::npos);
  EXPECT_NE(complaint(std::string("\x89MCAP1\r\n", 8)).find("another version"), std::string::npos);
  EXPECT_THROW(open_mcap(folder_.path()), RecordingError);
  EXPECT_THROW(open_mcap(folder_.path() / "none.mcap"), RecordingError);
}

TEST_F(McapDamage, TakesNothingButTheMagicForAnEmptyRecording) {
  bool refused = true;
  EXPECT_TRUE(read(McapText::magic(), refused).empty());
  EXPECT_FALSE(refused);
  EXPECT_EQ(warnings_.size(), 1U);
  EXPECT_TRUE(read(McapText::head() + McapText::footer(), refused).empty());
  EXPECT_EQ(warnings_.size(), 0U);
}

TEST_F(McapDamage, DoesNotBelieveHugeLengths) {
  const std::string start = McapText::head() + McapText::schema(1, "a/A") +
                            McapText::channel(1, 1, "/a") + McapText::message(1, 1, "x");
  const std::string some = McapText::message(1, 2, "y");
  const std::vector<std::uint64_t> sizes{std::uint64_t{1} << 30U, std::uint64_t{1} << 62U,
                                         UINT64_MAX - 8, UINT64_MAX};
  for (const std::uint64_t size : sizes) {
    const std::string huge = McapText::number(size, 8);
    const std::vector<std::string> tails{
        McapText::number(5, 1) + huge + std::string(40, 'x'),
        McapText::number(6, 1) + huge + std::string(60, 'x'),
        McapText::chunk(some, "zstd", size) + McapText::footer(),
        McapText::chunk(some, "lz4", size) + McapText::footer(),
        McapText::chunk(some, "", size) + McapText::footer(),
        McapText::record(3, McapText::number(0xffffffffffff, 6)) + McapText::footer(),
        McapText::footer(size),
    };
    for (const std::string& tail : tails) {
      bool refused = false;
      const auto messages = read(start + tail, refused);
      EXPECT_FALSE(refused);
      ASSERT_EQ(messages.size(), 1U);
      EXPECT_EQ(messages[0].data, "x");
      EXPECT_FALSE(warnings_.empty());
    }
  }
}

TEST_F(McapDamage, KeepsTheNumberOfWarningsSmall) {
  std::string bytes = McapText::head();
  for (int k = 0; k < 1000; ++k) bytes += McapText::chunk("x", "zstd", 1);
  bool refused = false;
  EXPECT_TRUE(read(bytes + McapText::footer(), refused).empty());
  EXPECT_EQ(warnings_.size(), 100U);
}

}  // namespace
}  // namespace ovf
