#include "ovf/recording/message_definition.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "evaluation/temporary_folder.hpp"
#include "ovf/recording/ros_messages.hpp"
#include "source_folder.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

const std::string kLine = std::string(80, '=');
const std::string kPose = fmt::format(
    "Point position\nQuaternion orientation\n{0}\nMSG: geometry_msgs/Point\n"
    "float64 x\nfloat64 y\nfloat64 z\n{0}\nMSG: geometry_msgs/Quaternion\n"
    "float64 x\nfloat64 y\nfloat64 z\nfloat64 w 1\n",
    kLine);

/// What is said of a recording whose messages of type M have this definition.
template <typename M>
std::string complaint(const std::string& found) {
  try {
    check_definition(definition<M>(), found, M::kType, count_may_be_absent<M>());
  } catch (const RecordingError& error) {
    return error.what();
  }
  return "accepted";
}

/// The same of a text and another one.
std::string complaint(const std::string& expected, const std::string& found) {
  try {
    check_definition(expected, found, "a/msg/B");
  } catch (const RecordingError& error) {
    return error.what();
  }
  return "accepted";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(MessageDefinition, ListsFieldsThenPartsInOrderOfUse) {
  EXPECT_EQ(definition<ros::PoseStamped>(), fmt::format("std_msgs/Header header\n"
                                                        "geometry_msgs/Pose pose\n"
                                                        "{0}\n"
                                                        "MSG: std_msgs/Header\n"
                                                        "builtin_interfaces/Time stamp\n"
                                                        "string frame_id\n"
                                                        "{0}\n"
                                                        "MSG: builtin_interfaces/Time\n"
                                                        "int32 sec\n"
                                                        "uint32 nanosec\n"
                                                        "{0}\n"
                                                        "MSG: geometry_msgs/Pose\n"
                                                        "geometry_msgs/Point position\n"
                                                        "geometry_msgs/Quaternion orientation\n"
                                                        "{0}\n"
                                                        "MSG: geometry_msgs/Point\n"
                                                        "float64 x\n"
                                                        "float64 y\n"
                                                        "float64 z\n"
                                                        "{0}\n"
                                                        "MSG: geometry_msgs/Quaternion\n"
                                                        "float64 x\n"
                                                        "float64 y\n"
                                                        "float64 z\n"
                                                        "float64 w 1\n",
                                                        kLine));
  const std::string parameters = definition<ros::ModelParameters>();
  EXPECT_NE(parameters.find("string[] names\nfloat64[] values\n"), std::string::npos);
  EXPECT_NE(parameters.find("uint8[] status\n"), std::string::npos);
  EXPECT_NE(definition<ros::CameraInfo>().find("float64[12] p\n"), std::string::npos);
  EXPECT_NE(definition<ros::NavSatFix>().find("int8 status -2\n"), std::string::npos);
}

TEST(MessageDefinition, OfEveryMessageAgreesWithItselfAndNotWithAnotherFirstField) {
  std::vector<std::pair<std::string, std::string>> all;
  ros::AllMessages::each([&]<typename M>() { all.emplace_back(M::kType, definition<M>()); });
  for (const auto& [type, text] : all) {
    EXPECT_NO_THROW(check_definition(text, text, type));
    EXPECT_THROW(check_definition(text, fmt::format("int8 first\n{}", text), type), RecordingError);
  }
}

TEST(MessageDefinition, AgreesWithTheFilesOfOvfMsgs) {
  const fs::path folder = test::source_folder() / "ovf_msgs" / "msg";
  std::size_t files = 0;
  ros::AllMessages::each([&]<typename M>() {
    const std::string type = M::kType;
    const std::string package = "ovf_msgs/msg/";
    if (!type.starts_with(package)) return;
    ++files;
    const fs::path file = folder / (type.substr(package.size()) + ".msg");
    ASSERT_TRUE(fs::exists(file)) << file;
    const std::string text = test::read_text(file);
    // Both ways, as either side may have more fields at its end.
    EXPECT_NO_THROW(check_definition(definition<M>(), text, type));
    EXPECT_NO_THROW(check_definition(text, definition<M>(), type));
  });
  const auto all = fs::directory_iterator(folder);
  EXPECT_EQ(files, static_cast<std::size_t>(std::distance(begin(all), end(all))));
}

TEST(MessageDefinition, AcceptsEverySpellingOfTheSameFields) {
  EXPECT_EQ(complaint<ros::Pose>(kPose), "accepted");
  EXPECT_EQ(complaint<ros::Header>("# A header.\r\n\r\n  builtin_interfaces/msg/Time   stamp # when"
                                   "\r\n\tstring<=255 frame_id \"base\" # where\r\n"),
            "accepted");
  EXPECT_EQ(complaint<ros::PointStamped>("Header header\ngeometry_msgs/msg/Point point"),
            "accepted");
  EXPECT_EQ(complaint<ros::CompressedImage>("uint8 PNG=1\nstring HASH=\"#\"\nstring FORM = png\n"
                                            "std_msgs/Header header\nstring<=8 format\n"
                                            "byte[<=1000000] data [1, 2]\n"),
            "accepted");
  EXPECT_EQ(complaint<ros::Image>("std_msgs/Header header\nuint32 height\nuint32 width\nstring "
                                  "encoding\nchar is_bigendian\nuint32 step\nuint8[] data"),
            "accepted");
  EXPECT_EQ(complaint<ros::GaussianState>("string<=10[<=5] names\nfloat64[] mean\nfloat64[] "
                                          "covariance\n"),
            "accepted");
}

TEST(MessageDefinition, DoesNotCheckWhatItCannotRead) {
  EXPECT_EQ(complaint<ros::Pose>(""), "accepted");
  EXPECT_EQ(complaint<ros::Pose>(" \r\n\n"), "accepted");
  EXPECT_EQ(complaint<ros::Pose>(kLine + "\nIDL: geometry_msgs/msg/Pose\nmodule geometry_msgs {\n"),
            "accepted");
  // Parts without a definition.
  EXPECT_EQ(complaint<ros::Pose>("Point position\nQuaternion orientation\n"), "accepted");
}

TEST(MessageDefinition, NamesTheFirstFieldThatDiffers) {
  EXPECT_EQ(complaint<ros::Pose>(replaced(kPose, "float64 z", "float32 z")),
            "geometry_msgs/msg/Pose: the recorded messages have another definition: position.z: "
            "expected 'float64 z', found 'float32 z'; convert the recording to this release of the "
            "message");
  const auto expect_words = [](const std::string& found, const std::string& words) {
    const std::string said = complaint<ros::Pose>(found);
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  expect_words(replaced(kPose, "float64 z", "float64 height"),
               "position.z: expected 'float64 z', found 'float64 height'");
  expect_words(replaced(kPose, "Point position", "Vector3 position"),
               "position: expected 'geometry_msgs/Point position', found 'geometry_msgs/Vector3");
  expect_words(replaced(kPose, "Point position", "Point[2] position"),
               "found 'geometry_msgs/Point[2] position'");
  expect_words(replaced(kPose, "Point position", "other_msgs/Point position"),
               "found 'other_msgs/Point position'");
  expect_words(
      replaced(kPose, "Quaternion orientation\n", ""),
      "orientation: expected 'geometry_msgs/Quaternion orientation', found 'no such field'");
  // More fields are fine at the end of the message, not at the end of a part.
  expect_words(replaced(kPose, "float64 z\n", "float64 z\nfloat64 t\n"),
               "position.t: expected 'no such field', found 'float64 t'");
  expect_words(replaced(kPose, "float64 w 1\n", ""), "orientation.w: expected 'float64 w'");
  EXPECT_EQ(complaint<ros::Pose>(replaced(kPose, "orientation\n", "orientation\nint8 kind\n")),
            "accepted");
}

TEST(MessageDefinition, AcceptsRangesWithAndWithoutVariance) {
  const std::string whole = definition<ros::Range>();
  EXPECT_EQ(count_may_be_absent<ros::Range>(), 1U);
  EXPECT_EQ(complaint<ros::Range>(whole), "accepted");
  EXPECT_EQ(complaint<ros::Range>(replaced(whole, "float32 variance\n", "")), "accepted");
  EXPECT_NE(complaint<ros::Range>(replaced(whole, "float32 range\nfloat32 variance\n", "")),
            "accepted");
  EXPECT_NE(complaint<ros::Range>(replaced(whole, "float32 variance", "float64 variance")),
            "accepted");
}

TEST(MessageDefinition, IsReadToItsEndWhateverItSays) {
  // A type that contains itself, and types that contain each other.
  const std::string cyclic = fmt::format("C c\n{}\nMSG: a/C\nB b\nC[] c\n", kLine);
  EXPECT_EQ(complaint(cyclic, cyclic), "accepted");
  EXPECT_NE(complaint(cyclic, replaced(cyclic, "C[] c", "C[3] c")), "accepted");
  // The first of two definitions counts.
  const std::string twice = fmt::format("int8 x\n{}\nMSG: a/B\nint16 x\n", kLine);
  EXPECT_EQ(complaint("int8 x", twice), "accepted");

  for (const char* line :
       {"float64", "float64[ x", "float64[-1] x", "float64[<=] x", "float64[9z] x", "string<= x",
        "string<=a x", "float64<=3 x", "/Pose x", "a//Pose x", "int8 9x", "int8 \x1b[2J", "---",
        "99999999999999999999999 x", "int8[99999999999999999999999] x"}) {
    const std::string said = complaint("int8 x", line);
    EXPECT_NE(said.find("line 1 of the definition"), std::string::npos) << line << ": " << said;
    EXPECT_EQ(said.find('\x1b'), std::string::npos);
  }
  EXPECT_NE(complaint("int8 x", "int8 x\n===\nint8 y").find("'MSG: package/Type' was expected"),
            std::string::npos);
  EXPECT_NE(complaint("int8 x", std::string((1 << 20) + 1, ' ')).find("1048576 is the limit"),
            std::string::npos);
}

TEST(MessageDefinition, OfATopicIsCheckedAfterItsTypeAndEncoding) {
  const Topic good{.name = "/pose",
                   .type = ros::Pose::kType,
                   .definition = kPose,
                   .definition_encoding = "ros2msg"};
  const auto complaint_about = [](const Topic& topic) -> std::string {
    try {
      check_topic<ros::Pose>(topic);
    } catch (const RecordingError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(complaint_about(good), "accepted");
  Topic bad = good;
  bad.type = "geometry_msgs/msg/Point";
  EXPECT_EQ(complaint_about(bad),
            "/pose: messages are geometry_msgs/msg/Point, not geometry_msgs/msg/Pose");
  bad = good;
  bad.encoding = "json";
  EXPECT_EQ(complaint_about(bad), "/pose: messages are encoded as 'json'; 'cdr' is read");
  bad = good;
  bad.definition = "int8 x\n";
  EXPECT_TRUE(complaint_about(bad).starts_with("/pose: geometry_msgs/msg/Pose: "));
  bad.definition_encoding = "ros2idl";
  EXPECT_EQ(complaint_about(bad), "accepted");
}

}  // namespace
}  // namespace ovf
