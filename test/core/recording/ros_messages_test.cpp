#include "ovf/recording/ros_messages.hpp"

#include <gtest/gtest.h>

#include <set>

#include "evaluation/log_files.hpp"
#include "ovf/recording/cdr.hpp"
#include "ovf/recording/mcap_reader.hpp"
#include "ovf/recording/message_definition.hpp"
#include "recording/plain_cdr.hpp"
#include "recording/random_message.hpp"

namespace ovf {
namespace {

using Bytes = std::vector<std::byte>;

template <typename M>
Bytes recoded(std::span<const std::byte> bytes) {
  Bytes result;
  encode(decode<M>(bytes), result);
  return result;
}

/// What the tests need of a message type, so that they are not compiled for each.
struct MessageType {
  std::string name;
  Bytes (*random_bytes)(std::uint64_t seed, std::endian order, int version);
  Bytes (*recode)(std::span<const std::byte> bytes);
  /// As before, by way of a message that has held the other bytes.
  Bytes (*recode_after)(std::span<const std::byte> other, std::span<const std::byte> bytes);
  bool (*comes_back)();
};

std::vector<MessageType> message_types() {
  std::vector<MessageType> types;
  ros::AllMessages::each([&]<typename M>() {
    types.push_back({M::kType,
                     [](std::uint64_t seed, std::endian order, int version) {
                       return test::PlainCdr::of(test::random_message<M>(seed), order, version);
                     },
                     recoded<M>,
                     [](std::span<const std::byte> other, std::span<const std::byte> bytes) {
                       auto message = decode<M>(other);
                       decode(bytes, message);
                       Bytes result;
                       encode(message, result);
                       return result;
                     },
                     [] {
                       Bytes bytes;
                       encode(M(), bytes);
                       return decode<M>(bytes) == M();
                     }});
  });
  return types;
}

TEST(RosMessages, HaveDifferentTypes) {
  std::set<std::string> names;
  for (const MessageType& type : message_types()) names.insert(type.name);
  EXPECT_EQ(names.size(), ros::AllMessages::kSize);
}

TEST(RosMessages, ComeBackFromEveryKindOfPlainCdr) {
  for (const MessageType& type : message_types()) {
    SCOPED_TRACE(type.name);
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const Bytes bytes = type.random_bytes(seed, std::endian::little, 1);
      EXPECT_EQ(type.recode(bytes), bytes);
      EXPECT_EQ(type.recode(type.random_bytes(seed, std::endian::big, 1)), bytes);
      EXPECT_EQ(type.recode(type.random_bytes(seed, std::endian::little, 2)), bytes);
      EXPECT_EQ(type.recode(type.random_bytes(seed, std::endian::big, 2)), bytes);
      const Bytes other = type.random_bytes(seed + 100, std::endian::little, 1);
      EXPECT_EQ(type.recode_after(other, bytes), bytes);
    }
  }
}

TEST(RosMessages, AreRefusedWhenCutShortAnywhere) {
  for (const MessageType& type : message_types()) {
    SCOPED_TRACE(type.name);
    for (const int version : {1, 2}) {
      const Bytes whole = type.random_bytes(3, std::endian::little, version);
      for (std::size_t length = 0; length < whole.size(); ++length) {
        // An array of its own, so that the address sanitizer sees a read beyond its end.
        const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
        // The last field of these is younger than the message.
        const bool is_older = (type.name == ros::Range::kType && length + 4 == whole.size()) ||
                              (type.name == ros::FilterStatus::kType && length + 8 == whole.size());
        if (is_older) {
          EXPECT_NO_THROW(type.recode(cut));
        } else {
          EXPECT_THROW(type.recode(cut), CdrError) << length << " of " << whole.size();
        }
      }
    }
  }
}

TEST(RosMessages, StartAsThoseOfRos) {
  EXPECT_EQ(ros::Pose().orientation, (ros::Quaternion{0.0, 0.0, 0.0, 1.0}));
  EXPECT_EQ(ros::NavSatFix().status.status, ros::NavSatStatus::STATUS_UNKNOWN);
  for (const MessageType& type : message_types()) EXPECT_TRUE(type.comes_back()) << type.name;
}

class RosMessagesOfRecordings : public testing::TestWithParam<const char*> {};

TEST_P(RosMessagesOfRecordings, AgreeInDefinitionAndSize) {
  const auto file = test::recorded_data(GetParam());
  if (!file) GTEST_SKIP() << "OVF_DATA_DIR, the folder with recorded data, is not set";
  const auto reader = open_mcap(*file);
  std::vector<Bytes (*)(std::span<const std::byte>)> recode(reader->topics().size(), nullptr);
  ros::AllMessages::each([&]<typename M>() {
    for (std::size_t i = 0; i < recode.size(); ++i) {
      if (reader->topics()[i].type != M::kType) continue;
      EXPECT_FALSE(reader->topics()[i].definition.empty());
      EXPECT_NO_THROW(check_topic<M>(reader->topics()[i]));
      recode[i] = recoded<M>;
    }
  });
  std::set<int> seen;
  for (RecordedMessage message; reader->next(message);) {
    const auto topic = static_cast<std::size_t>(message.topic);
    if (recode[topic] == nullptr) continue;
    seen.insert(message.topic);
    const Bytes bytes = recode[topic](message.data);
    // Writers leave what they like in the gaps, so the bytes themselves are not compared.
    ASSERT_EQ(bytes.size(), message.data.size()) << reader->topics()[topic].name;
    ASSERT_EQ(recode[topic](bytes), bytes) << reader->topics()[topic].name;
  }
  EXPECT_GE(seen.size(), 3U);
}

INSTANTIATE_TEST_SUITE_P(Recorded, RosMessagesOfRecordings,
                         testing::Values("bags/husky_mcap/husky_ros2_mcap_0.mcap",
                                         "bags/nav2_mcap/nav2_turtlebot.mcap"));

}  // namespace
}  // namespace ovf
