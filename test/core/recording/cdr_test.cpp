#include "ovf/recording/cdr.hpp"

#include <gtest/gtest.h>

#include "ovf/recording/cdr_reader.hpp"
#include "ovf/recording/cdr_writer.hpp"
#include "ovf/recording/ros_messages.hpp"
#include "recording/plain_cdr.hpp"

namespace ovf {
namespace {

using Bytes = std::vector<std::byte>;

/// Numbers are bytes, text stands for its characters.
template <typename... Parts>
Bytes bytes_of(const Parts&... parts) {
  Bytes result;
  const auto add = [&](const auto& part) {
    if constexpr (std::is_integral_v<std::decay_t<decltype(part)>>) {
      result.push_back(static_cast<std::byte>(part));
    } else {
      for (const char c : std::string(part)) result.push_back(static_cast<std::byte>(c));
    }
  };
  (add(parts), ...);
  return result;
}

template <typename M>
std::string complaint(const Bytes& bytes) {
  try {
    decode<M>(bytes);
  } catch (const CdrError& error) {
    return error.what();
  }
  return "accepted";
}

const Bytes kHeaderLittle = bytes_of(0, 1, 0, 0,              // plain CDR, little-endian
                                     0xfe, 0xff, 0xff, 0xff,  // -2 s
                                     0x15, 0xcd, 0x5b, 0x07,  // 123456789 ns
                                     5, 0, 0, 0, "odom", 0);
const Bytes kHeaderBig = bytes_of(0, 0, 0, 0, 0xff, 0xff, 0xff, 0xfe, 0x07, 0x5b, 0xcd, 0x15,  //
                                  0, 0, 0, 5, "odom", 0);

TEST(Cdr, ReadsAndWritesAHeaderByteForByte) {
  const ros::Header expected{.stamp = {.sec = -2, .nanosec = 123456789}, .frame_id = "odom"};
  EXPECT_EQ(decode<ros::Header>(kHeaderLittle), expected);
  EXPECT_EQ(decode<ros::Header>(kHeaderBig), expected);
  Bytes written = bytes_of(1, 2, 3);
  encode(expected, written);
  EXPECT_EQ(written, kHeaderLittle);
}

TEST(Cdr, AlignsNumbersToTheirSizeAndEmptySequencesToTheirCount) {
  // 1.5 is 3ff8 0000 0000 0000.
  const Bytes little = bytes_of(0, 1, 0, 0,                    //
                                1, 0, 0, 0, 2, 0, 0, 0,        // stamp
                                2, 0, 0, 0, "b", 0,            // frame_id, ends at 14
                                0, 0, 1, 0, 0, 0,              // one name, at 16
                                2, 0, 0, 0, "j", 0,            // ends at 26
                                0, 0, 1, 0, 0, 0,              // one position, at 28
                                0, 0, 0, 0, 0, 0, 0xf8, 0x3f,  // at 32
                                0, 0, 0, 0,                    // no velocity, at 40
                                0, 0, 0, 0);                   // no effort, at 44: no gap
  ros::JointState expected;
  expected.header = {.stamp = {.sec = 1, .nanosec = 2}, .frame_id = "b"};
  expected.name = {"j"};
  expected.position = {1.5};
  EXPECT_EQ(decode<ros::JointState>(little), expected);
  Bytes written;
  encode(expected, written);
  EXPECT_EQ(written, little);

  const Bytes big = bytes_of(0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, "b", 0,  //
                             0, 0, 0, 0, 0, 1, 0, 0, 0, 2, "j", 0, 0, 0, 0, 0, 0, 1,  //
                             0x3f, 0xf8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  EXPECT_EQ(decode<ros::JointState>(big), expected);
}

TEST(Cdr, ReadsVersion2WhichAlignsToFourAndDelimitsSequences) {
  const Bytes little = bytes_of(0, 7, 0, 0,                      //
                                1, 0, 0, 0, 2, 0, 0, 0,          // stamp
                                2, 0, 0, 0, "b", 0,              // frame_id, ends at 14
                                0, 0, 10, 0, 0, 0,               // the names take 10 bytes
                                1, 0, 0, 0, 2, 0, 0, 0, "j", 0,  // ends at 30
                                0, 0, 1, 0, 0, 0,                // one position, at 32
                                0, 0, 0, 0, 0, 0, 0xf8, 0x3f,    // at 36
                                0, 0, 0, 0, 0, 0, 0, 0);
  const auto message = decode<ros::JointState>(little);
  EXPECT_EQ(message.name, std::vector<std::string>{"j"});
  EXPECT_EQ(message.position, std::vector<double>{1.5});
  EXPECT_TRUE(message.effort.empty());
}

TEST(Cdr, ReadsTruthFromAnyByteThatIsNotZero) {
  const auto roi = decode<ros::RegionOfInterest>(
      bytes_of(0, 1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 7));
  EXPECT_EQ(roi.width, 4U);
  EXPECT_TRUE(roi.do_rectify);

  ros::ModelParameters parameters;
  parameters.status = {1, 0, 3};
  Bytes written;
  encode(parameters, written);
  EXPECT_EQ(Bytes(written.end() - 7, written.end()), bytes_of(3, 0, 0, 0, 1, 0, 3));
  EXPECT_EQ(decode<ros::ModelParameters>(written), parameters);
}

TEST(Cdr, ReadsTextWithoutItsNulAndTextOfLengthZero) {
  EXPECT_EQ(decode<ros::String>(bytes_of(0, 1, 0, 0, 3, 0, 0, 0, "abc")).data, "abc");
  EXPECT_EQ(decode<ros::String>(bytes_of(0, 1, 0, 0, 0, 0, 0, 0)).data, "");
  EXPECT_EQ(decode<ros::String>(bytes_of(0, 1, 0, 0, 1, 0, 0, 0, 0)).data, "");
  Bytes written;
  encode(ros::String{}, written);
  EXPECT_EQ(written, bytes_of(0, 1, 0, 0, 1, 0, 0, 0, 0));
}

TEST(Cdr, LeavesBytesBeyondTheLastFieldAlone) {
  Bytes longer = kHeaderLittle;
  longer.insert(longer.end(), 9, std::byte{0xee});
  EXPECT_EQ(decode<ros::Header>(longer), decode<ros::Header>(kHeaderLittle));
}

TEST(Cdr, ReadsRangesWithAndWithoutVariance) {
  ros::Range range{.radiation_type = 1, .range = 2.5F, .variance = 0.25F};
  Bytes bytes;
  encode(range, bytes);
  EXPECT_EQ(decode<ros::Range>(bytes), range);
  bytes.resize(bytes.size() - 4);
  decode(bytes, range);
  EXPECT_EQ(range.range, 2.5F);
  EXPECT_EQ(range.variance, 0.0F);
}

TEST(Cdr, UsesTheMemoryOfAMessageAgain) {
  ros::Image image;
  image.data.assign(1000, 7);
  Bytes bytes;
  encode(image, bytes);
  ros::Image other;
  other.data.assign(2000, 1);
  const std::uint8_t* memory = other.data.data();
  decode(bytes, other);
  EXPECT_EQ(other, image);
  EXPECT_EQ(other.data.data(), memory);
}

TEST(Cdr, NamesTypeFieldAndByteWhereAMessageEnds) {
  ros::Odometry odometry;
  odometry.header.frame_id = "odom";
  odometry.child_frame_id = "base_link";
  Bytes bytes;
  encode(odometry, bytes);
  bytes.resize(212);
  EXPECT_EQ(complaint<ros::Odometry>(bytes),
            "nav_msgs/msg/Odometry: pose.covariance: the message ends after 212 bytes; 36 numbers "
            "of 8 bytes were expected from byte 100 on");

  ros::TFMessage tf;
  tf.transforms.resize(3);
  encode(tf, bytes);
  bytes.resize(bytes.size() - 9);
  EXPECT_EQ(complaint<ros::TFMessage>(bytes),
            "tf2_msgs/msg/TFMessage: transforms[2].transform.rotation.z: the message ends after "
            "243 bytes; a number of 8 bytes was expected from byte 236 on");
}

TEST(Cdr, RefusesLengthsThatTheBytesDoNotAccountFor) {
  const std::string words = complaint<ros::String>(bytes_of(0, 1, 0, 0, 4, 0, 0, 0, "abc"));
  EXPECT_EQ(words,
            "std_msgs/msg/String: data: a length of 4 before byte 8, each of at least 1 bytes; but "
            "the message ends after 11");

  // 4294967295 of anything; and as many transforms as there are bytes, each of which needs more.
  EXPECT_NE(complaint<ros::TFMessage>(bytes_of(0, 1, 0, 0, 0xff, 0xff, 0xff, 0xff)), "accepted");
  Bytes many = bytes_of(0, 1, 0, 0, 0xe8, 3, 0, 0);
  many.resize(1008);
  EXPECT_NE(complaint<ros::TFMessage>(many).find("a length of 1000"), std::string::npos);
  EXPECT_NE(complaint<ros::GaussianState>(bytes_of(0, 0, 0, 0, 0x80, 0, 0, 0)), "accepted");
  EXPECT_NE(complaint<ros::GaussianState>(
                bytes_of(0, 0, 0, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
            "accepted");
  // A delimiter of version 2.
  EXPECT_NE(complaint<ros::TFMessage>(bytes_of(0, 7, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0)), "accepted");
  EXPECT_EQ(complaint<ros::TFMessage>(bytes_of(0, 7, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0)), "accepted");
}

TEST(Cdr, RefusesWhatIsNotPlainCdr) {
  EXPECT_EQ(complaint<ros::Header>({}),
            "std_msgs/msg/Header: the message has 0 bytes; it begins with a header of 4");
  for (const int kind : {2, 3, 8, 9, 10, 11, 0x10, 0xff}) {
    Bytes bytes = kHeaderLittle;
    bytes[1] = static_cast<std::byte>(kind);
    EXPECT_NE(complaint<ros::Header>(bytes).find("plain CDR is read"), std::string::npos) << kind;
  }
  Bytes bytes = kHeaderLittle;
  bytes[0] = std::byte{1};
  EXPECT_NE(complaint<ros::Header>(bytes).find("0x0101"), std::string::npos);
}

/// Not one of the library's messages; arrays of what is not a number, and numbers of all sizes.
struct Mixed {
  static constexpr const char* kType = "test_msgs/msg/Mixed";
  std::uint8_t small = 0;
  std::int16_t middle = 0;
  std::array<std::string, 2> texts = {};
  std::array<ros::Point32, 2> points = {};
  std::vector<std::uint16_t> numbers = {};

  static void fields(auto& m, auto& visit) {
    visit("small", m.small);
    visit("middle", m.middle);
    visit("texts", m.texts);
    visit("points", m.points);
    visit("numbers", m.numbers);
  }
  bool operator==(const Mixed&) const = default;
};

TEST(Cdr, ServesMessagesOfOthers) {
  const Mixed mixed{1, -2, {"one", "two"}, {{{1.0F, 2.0F, 3.0F}, {4.0F, 5.0F, 6.0F}}}, {7, 8, 9}};
  Bytes bytes;
  CdrWriter(bytes).write(mixed);
  EXPECT_EQ(bytes, test::PlainCdr::of(mixed, std::endian::little, 1));
  Mixed read;
  CdrReader(bytes).read(read);
  EXPECT_EQ(read, mixed);
  read = {};
  CdrReader(test::PlainCdr::of(mixed, std::endian::big, 1)).read(read);
  EXPECT_EQ(read, mixed);

  bytes.resize(22);
  try {
    CdrReader(bytes, Mixed::kType).read(read);
    FAIL();
  } catch (const CdrError& error) {
    EXPECT_EQ(std::string(error.what()),
              "test_msgs/msg/Mixed: texts[1]: a length of 4 before byte 20, each of at least 1 "
              "bytes; but the message ends after 22");
  }
}

}  // namespace
}  // namespace ovf
