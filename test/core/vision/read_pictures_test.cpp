#include "ovf/recording/read_pictures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "ovf/recording/camera_recording.hpp"
#include "ovf/vision/image_file.hpp"
#include "vision/image_cases.hpp"

namespace ovf {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class ReadPictures : public testing::Test {
 protected:
  ReadPictures() { fs::create_directories(folder_ / "below"); }
  ~ReadPictures() override { fs::remove_all(folder_); }

  std::string complaint(const std::vector<fs::path>& paths, const std::string& topic = {}) const {
    try {
      read_pictures(paths, {.size = {8, 8}, .topic = topic});
    } catch (const RecordingError& error) {
      return error.what();
    }
    return {};
  }

  fs::path folder_ = fs::path(testing::TempDir()) /
                     testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(ReadPictures, TakesFilesOfFoldersInTheOrderOfTheirNamesAndResizesThem) {
  const Image first = test::random_image(8, 8, 1);
  const Image second = test::random_image(8, 8, 2);
  write_image(folder_ / "b.png", first);
  write_image(folder_ / "below" / "a.PNG.png", second);
  write_image(folder_ / "c.jpg", test::smooth_image(32, 16));
  std::ofstream(folder_ / "index.csv") << "not a picture";
  const Pictures pictures = read_pictures({folder_}, {.size = {8, 8}});
  ASSERT_EQ(pictures.images.size(), 3U);
  EXPECT_EQ(pictures.images[0], first);
  EXPECT_EQ(pictures.images[1], second);
  EXPECT_EQ(pictures.images[2].size(), (ImageSize{8, 8}));
  EXPECT_EQ(pictures.bad, 0U);
  EXPECT_EQ(read_pictures({folder_}, {.size = {8, 8}, .every = 2}).images.size(), 2U);
  EXPECT_EQ(read_pictures({folder_ / "b.png"}, {.size = {8, 8}}).images.front(), first);
}

TEST_F(ReadPictures, CountsAndNamesBadPictures) {
  write_image(folder_ / "good.png", test::random_image(8, 8));
  std::ofstream(folder_ / "bad.png") << "no picture at all";
  std::ofstream(folder_ / "empty.jpg") << "";
  const Pictures pictures = read_pictures({folder_}, {.size = {8, 8}});
  EXPECT_EQ(pictures.images.size(), 1U);
  EXPECT_EQ(pictures.bad, 2U);
  ASSERT_EQ(pictures.warnings.size(), 2U);
  EXPECT_THAT(pictures.warnings[0], HasSubstr("bad.png"));
  EXPECT_THAT(pictures.warnings[1], HasSubstr("empty.jpg"));
}

TEST_F(ReadPictures, TakesTheOnlyTopicWithPicturesOfARecording) {
  CameraFrame frame;
  frame.image = test::random_image(8, 8, 3);
  CameraRecording recording(folder_ / "recording");
  recording.write(frame);
  frame.stamp = 1'000'000'000;
  recording.write(frame);
  recording.close();
  const Pictures pictures = read_pictures({folder_ / "recording"}, {.size = {8, 8}});
  ASSERT_EQ(pictures.images.size(), 2U);
  EXPECT_EQ(pictures.images[1], frame.image);
  EXPECT_THAT(complaint({folder_ / "recording"}, "/other"),
              HasSubstr("no pictures on topic /other. Topics with pictures: /camera/image."));
}

TEST_F(ReadPictures, RefusesWhatHasNoPictures) {
  EXPECT_THAT(complaint({folder_}), HasSubstr("no pictures; expected PNG or JPEG"));
  EXPECT_THAT(complaint({folder_ / "none"}), HasSubstr("there is no such file or folder"));
}

}  // namespace
}  // namespace ovf
