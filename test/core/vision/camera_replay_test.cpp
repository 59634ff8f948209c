#include "ovf/evaluation/camera_replay.hpp"

#include <gtest/gtest.h>

#include "evaluation/temporary_folder.hpp"
#include "ovf/recording/camera_recording.hpp"
#include "ovf/recording/cdr.hpp"
#include "ovf/recording/frame_reader.hpp"
#include "ovf/recording/message_definition.hpp"
#include "ovf/recording/recording_folder.hpp"
#include "ovf/recording/ros_messages.hpp"
#include "ovf/vision/image_file.hpp"
#include "vision/linear_pictures.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

void record(const fs::path& folder, const std::vector<CameraFrame>& frames) {
  CameraRecording recording(folder);
  for (const CameraFrame& frame : frames) recording.write(frame);
  recording.close();
}

CameraReplayOptions options_with_controls() {
  CameraReplayOptions options;
  options.config.model = "linear";
  options.config.control_topic = "control";
  options.config.motion.hidden = 8;
  options.config.motion.blocks = 1;
  return options;
}

TEST(FrameReader, GivesPicturesAndControlsInTheirOrder) {
  const test::TemporaryFolder folder;
  const ImageModel model = test::linear_pictures();
  const auto frames = test::turning_pictures(model, 5, 0.0, 0.5);
  record(folder.path() / "bag", frames);
  FrameReader reader(folder.path() / "bag", {.control_topic = "control"});
  EXPECT_EQ(reader.image_topic(), "/camera/image");
  RecordedFrame frame;
  for (const CameraFrame& expected : frames) {
    ASSERT_TRUE(reader.next(frame));
    EXPECT_TRUE(frame.is_control);
    EXPECT_EQ(frame.control, expected.control);
    ASSERT_TRUE(reader.next(frame));
    EXPECT_FALSE(frame.is_control);
    EXPECT_EQ(frame.stamp, CameraRecording::kStart + expected.stamp);
    EXPECT_EQ(frame.image, expected.image);
  }
  EXPECT_FALSE(reader.next(frame));
  EXPECT_NEAR(reader.seconds_read(), 0.4, 1e-9);
}

TEST(FrameReader, TellsWhatIsNoPicture) {
  const test::TemporaryFolder folder;
  const auto writer = create_recording(folder.path() / "bag");
  const int topic = writer->add_topic({.name = "/camera/image/compressed",
                                       .type = ros::CompressedImage::kType,
                                       .definition = definition<ros::CompressedImage>(),
                                       .definition_encoding = "ros2msg"});
  ros::CompressedImage message;
  std::vector<std::byte> bytes;
  const auto add = [&](std::int64_t time) {
    encode(message, bytes);
    writer->write({.topic = topic, .log_time = time, .publish_time = time, .data = bytes});
  };
  message.data = encode_png(Image(3, 2));
  add(1);
  message.data.resize(message.data.size() / 2);
  add(2);
  message.data = {0xff, 0xd8, 0xff};
  add(3);
  message.data.clear();
  add(4);
  writer->close();
  FrameReader reader(folder.path() / "bag", {});
  RecordedFrame frame;
  ASSERT_TRUE(reader.next(frame));
  EXPECT_EQ(frame.problem, "");
  EXPECT_EQ(frame.image.size(), (ImageSize{3, 2}));
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(reader.next(frame));
    EXPECT_NE(frame.problem, "");
  }
  EXPECT_FALSE(reader.next(frame));
}

TEST(FrameReader, NamesTheTopicsThatThereAre) {
  const test::TemporaryFolder folder;
  record(folder.path() / "bag", test::turning_pictures(test::linear_pictures(), 2));
  try {
    FrameReader(folder.path() / "bag", {.image_topic = "left/image"});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("/camera/image"), std::string::npos) << error.what();
  }
}

TEST(CameraReplay, WritesTheSameTwice) {
  const test::TemporaryFolder folder;
  const ImageModel model = test::linear_pictures();
  record(folder.path() / "bag", test::turning_pictures(model, 40, 0.0, 0.5));
  const auto options = options_with_controls();
  const auto summary = replay_camera(folder.path() / "bag", folder.path() / "one", model, options);
  replay_camera(folder.path() / "bag", folder.path() / "other", model, options);
  EXPECT_EQ(summary.pictures, 40);
  EXPECT_EQ(summary.controls, 40);
  EXPECT_EQ(summary.outcomes[0], 40);
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path() / "one")) {
    const auto name = fs::relative(entry.path(), folder.path() / "one");
    if (!entry.is_regular_file() || name == "machine.json") continue;
    EXPECT_EQ(test::read_text(entry.path()), test::read_text(folder.path() / "other" / name))
        << name;
    ++files;
  }
  EXPECT_GE(files, 7);
  EXPECT_NE(
      test::read_text(folder.path() / "one" / "report.html").find("data:image/png;base64,iVBOR"),
      std::string::npos);
}

TEST(CameraReplay, GoesOnFromItsCheckpoint) {
  const test::TemporaryFolder folder;
  const ImageModel model = test::linear_pictures();
  record(folder.path() / "bag", test::turning_pictures(model, 40, 0.0, 0.5));
  auto options = options_with_controls();
  options.save = folder.path() / "camera.ovf";
  replay_camera(folder.path() / "bag", folder.path() / "one", model, options);
  options.load = options.save;
  options.save.clear();
  const auto summary =
      replay_camera(folder.path() / "bag", folder.path() / "other", model, options);
  // It ended where this begins, 4 s later: the pictures are late, until they are new.
  EXPECT_EQ(summary.outcomes[static_cast<int>(FrameOutcome::kUsed)], 0);
}

}  // namespace
}  // namespace ovf
