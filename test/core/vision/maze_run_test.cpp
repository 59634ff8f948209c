#include "ovf/vision/maze_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "evaluation/temporary_folder.hpp"
#include "ovf/recording/camera_recording.hpp"
#include "ovf/recording/cdr.hpp"
#include "ovf/recording/ros_messages.hpp"
#include "ovf/recording/to_image.hpp"
#include "ovf/vision/contact_sheet.hpp"
#include "ovf/vision/image_folder.hpp"
#include "vision/image_cases.hpp"

namespace ovf::test {
namespace {

using testing::HasSubstr;

constexpr int kFrames = 30;

MazeRunConfig small_run() { return {.camera = {.size = {12, 8}}}; }

void write_both(const std::filesystem::path& folder) {
  MazeRun run(small_run());
  ImageFolder images(folder / "images");
  CameraRecording recording(folder / "recording");
  for (int k = 0; k < kFrames; ++k) {
    const CameraFrame frame = run.next();
    images.write(frame);
    recording.write(frame);
  }
  images.close();
  recording.close();
}

TEST(MazeRun, TheSameSeedsGiveTheSameFilesByteForByte) {
  const TemporaryFolder first;
  const TemporaryFolder second;
  write_both(first.path());
  write_both(second.path());
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(first.path())) {
    if (!entry.is_regular_file()) continue;
    const auto name = std::filesystem::relative(entry.path(), first.path());
    EXPECT_EQ(read_text(entry.path()), read_text(second.path() / name)) << name;
    ++files;
  }
  EXPECT_EQ(files, kFrames + 3);
}

TEST(MazeRun, RecordingIsReadBackAsItWasWritten) {
  const TemporaryFolder folder;
  write_both(folder.path());
  MazeRun run(small_run());
  CameraFrame frame = run.next();
  const auto reader = open_recording(folder.path() / "recording");
  EXPECT_EQ(reader->message_count(), 3U * kFrames);
  std::map<std::string, int> counts;
  RecordedMessage message;
  while (reader->next(message)) {
    const std::string topic = reader->topics()[static_cast<std::size_t>(message.topic)].name;
    ++counts[topic];
    EXPECT_EQ(message.log_time, CameraRecording::kStart + frame.stamp);
    if (topic == "/control") {
      const auto control = decode<ros::TwistStamped>(message.data);
      EXPECT_EQ(control.twist.linear.x, frame.control[0]);
      EXPECT_EQ(control.twist.angular.z, frame.control[1]);
    } else if (topic == "/camera/image") {
      EXPECT_EQ(image_of(decode<ros::Image>(message.data)), frame.image);
    } else if (topic == "/ground_truth") {
      const auto truth = decode<ros::Odometry>(message.data);
      EXPECT_EQ(truth.pose.pose.position.x, frame.pose.x);
      EXPECT_NEAR(truth.pose.pose.orientation.z, std::sin(0.5 * frame.pose.yaw), 1e-12);
      if (counts[topic] < kFrames) frame = run.next();
    }
  }
  EXPECT_EQ(counts,
            (std::map<std::string, int>{
                {"/camera/image", kFrames}, {"/control", kFrames}, {"/ground_truth", kFrames}}));
  EXPECT_TRUE(reader->warnings().empty());
}

TEST(MazeRun, FolderHasAPictureForEachLineOfItsIndex) {
  const TemporaryFolder folder;
  write_both(folder.path());
  MazeRun run(small_run());
  std::ifstream index(folder.path() / "images" / "index.csv");
  std::string line;
  std::getline(index, line);
  EXPECT_EQ(line, "stamp,file,v,w,x,y,yaw");
  for (int k = 0; k < kFrames; ++k) {
    const CameraFrame frame = run.next();
    ASSERT_TRUE(std::getline(index, line));
    const auto first = line.find(',');
    const auto second = line.find(',', first + 1);
    EXPECT_EQ(std::stoll(line), frame.stamp);
    const std::string file = line.substr(first + 1, second - first - 1);
    EXPECT_EQ(read_image(folder.path() / "images" / file), frame.image);
    EXPECT_EQ(std::stod(line.substr(second + 1)), frame.control[0]);
    EXPECT_EQ(std::stod(line.substr(line.rfind(',') + 1)), frame.pose.yaw);
  }
  EXPECT_FALSE(std::getline(index, line));
  EXPECT_THAT(image_error([&] { ImageFolder(folder.path() / "images"); }), HasSubstr("not empty"));
  EXPECT_THAT(image_error([&] { ImageFolder(folder.path() / "images/index.csv/a"); }),
              HasSubstr("cannot be created"));
}

TEST(MazeRun, UnorderedPicturesHaveNoControls) {
  MazeRunConfig config = small_run();
  config.is_unordered = true;
  MazeRun run(config);
  MazeRun same(config);
  TruePose last = run.next().pose;
  same.next();
  double way = 0.0;
  for (int k = 0; k < 20; ++k) {
    const CameraFrame frame = run.next();
    EXPECT_TRUE(std::isnan(frame.control[0]) && std::isnan(frame.control[1]));
    EXPECT_EQ(frame.image, same.next().image);
    way += std::hypot(frame.pose.x - last.x, frame.pose.y - last.y);
    last = frame.pose;
  }
  EXPECT_GT(way, 40.0);
}

TEST(MazeRun, TheWayDoesNotDependOnTheCamera) {
  MazeRunConfig config = small_run();
  MazeRun run(config);
  config.camera.size = {5, 5};
  MazeRun other(config);
  for (int k = 0; k < 20; ++k) EXPECT_EQ(run.next().pose.x, other.next().pose.x);
}

TEST(ContactSheet, HasThePicturesInRows) {
  const Image image = random_image(3, 2);
  const Image sheet = contact_sheet({image, image, image}, 2, 2);
  EXPECT_EQ(sheet.size(), (ImageSize{4 + 2 * (6 + 4), 4 + 2 * (4 + 4)}));
  EXPECT_EQ(sheet.at(0, 0)[0], 255);
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(sheet.at(14, 4)[c], image.at(0, 0)[c]);
    EXPECT_EQ(sheet.at(9, 15)[c], image.at(2, 1)[c]);
    EXPECT_EQ(sheet.at(14, 12)[c], 255);
  }
  EXPECT_NE(image_error([] { contact_sheet({}, 2); }), "");
  EXPECT_NE(image_error([&] { contact_sheet({image, random_image(2, 2)}, 2); }), "");
  EXPECT_THAT(image_error([&] { contact_sheet({image}, 1, 2000); }), HasSubstr("larger than"));
}

}  // namespace
}  // namespace ovf::test
