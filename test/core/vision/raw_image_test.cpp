#include "ovf/vision/raw_image.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ovf/recording/ros_image.hpp"
#include "ovf/recording/to_image.hpp"
#include "vision/image_cases.hpp"

namespace ovf::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ros::Image message(std::uint32_t width, std::uint32_t height, const char* encoding,
                   std::uint32_t step, std::vector<std::uint8_t> data) {
  ros::Image out;
  out.width = width;
  out.height = height;
  out.encoding = encoding;
  out.step = step;
  out.data = std::move(data);
  return out;
}

std::string error_of(const ros::Image& image) {
  return image_error([&] { image_of(image); });
}

TEST(RawImage, ReadsEveryOrderOfColours) {
  const auto rgb = [](const char* encoding, std::vector<std::uint8_t> data) {
    const auto step = static_cast<std::uint32_t>(data.size());
    return image_of(message(1, 1, encoding, step, std::move(data))).rgb;
  };
  EXPECT_THAT(rgb("rgb8", {1, 2, 3}), ElementsAre(1, 2, 3));
  EXPECT_THAT(rgb("bgr8", {3, 2, 1}), ElementsAre(1, 2, 3));
  EXPECT_THAT(rgb("8UC3", {3, 2, 1}), ElementsAre(1, 2, 3));
  EXPECT_THAT(rgb("rgba8", {1, 2, 3, 9}), ElementsAre(1, 2, 3));
  EXPECT_THAT(rgb("bgra8", {3, 2, 1, 9}), ElementsAre(1, 2, 3));
  EXPECT_THAT(rgb("mono8", {7}), ElementsAre(7, 7, 7));
}

TEST(RawImage, ReadsMosaicsOfColours) {
  constexpr std::uint32_t kSide = 8;
  const std::vector<std::uint8_t> colour{200, 120, 40};
  // Which colour each of two by two pixels has.
  const std::vector<std::pair<const char*, std::vector<std::size_t>>> mosaics{
      {"bayer_rggb8", {0, 1, 1, 2}},
      {"bayer_bggr8", {2, 1, 1, 0}},
      {"bayer_gbrg8", {1, 2, 0, 1}},
      {"bayer_grbg8", {1, 0, 2, 1}}};
  for (const auto& [name, channels] : mosaics) {
    std::vector<std::uint8_t> data;
    for (std::uint32_t y = 0; y < kSide; ++y) {
      for (std::uint32_t x = 0; x < kSide; ++x)
        data.push_back(colour[channels[2 * (y % 2) + x % 2]]);
    }
    const Image image = image_of(message(kSide, kSide, name, kSide, data));
    for (std::size_t k = 0; k < image.rgb.size(); ++k) EXPECT_EQ(image.rgb[k], colour[k % 3]);
  }
}

TEST(RawImage, SmallMosaicsDoNotCrash) {
  for (std::uint32_t width = 1; width < 5; ++width) {
    for (std::uint32_t height = 1; height < 5; ++height) {
      const auto image = message(width, height, "bayer_rggb8", width,
                                 std::vector<std::uint8_t>(width * height, 50));
      const bool is_too_small = width < 2 || height < 2;
      EXPECT_EQ(error_of(image).empty(), !is_too_small) << width << " x " << height;
    }
  }
}

TEST(RawImage, LeavesOutWhatIsBetweenRows) {
  const Image image = image_of(message(1, 2, "rgb8", 5, {1, 2, 3, 0, 0, 4, 5, 6, 0, 0}));
  EXPECT_THAT(image.rgb, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(RawImage, SaysWhatIsWrong) {
  EXPECT_THAT(error_of(message(1, 1, "yuv9", 3, {1, 2, 3})),
              HasSubstr("encoding 'yuv9'; known are rgb8"));
  EXPECT_THAT(error_of(message(1, 1, "", 3, {1, 2, 3})), HasSubstr("encoding ''"));
  EXPECT_THAT(error_of(message(0, 1, "rgb8", 0, {})), HasSubstr("empty"));
  EXPECT_THAT(error_of(message(2, 1, "rgb8", 5, {1, 2, 3, 4, 5})),
              HasSubstr("a step of 5 bytes; a row has at least 6"));
  EXPECT_THAT(error_of(message(1, 2, "rgb8", 3, {1, 2, 3, 4, 5})), HasSubstr("5 bytes in all"));
  EXPECT_THAT(error_of(message(1, 1, "rgb8", 3, {})), HasSubstr("0 bytes in all"));
  EXPECT_THAT(error_of(message(5000, 1, "mono8", 5000, {})), HasSubstr("5000 x 1"));
  EXPECT_THAT(error_of(message(4096, 4096, "mono8", UINT32_MAX, {})),
              HasSubstr("step of 4294967295"));
}

TEST(RawImage, TheMeanOfAnAreaBecomesAPixel) {
  const Image image =
      image_of(message(4, 2, "mono8", 4, {0, 100, 50, 50, 100, 200, 50, 50}), {2, 1});
  EXPECT_THAT(image.rgb, ElementsAre(100, 100, 100, 50, 50, 50));
  // Three pixels become two.
  const Image odd = image_of(message(3, 1, "mono8", 3, {0, 90, 240}), {2, 1});
  EXPECT_NEAR(odd.rgb[0], 30, 1);
  EXPECT_NEAR(odd.rgb[3], 190, 1);
  EXPECT_EQ(resized(image, {2, 1}), image);
  EXPECT_EQ(resized(image, {5, 7}).size(), (ImageSize{5, 7}));
  EXPECT_NE(image_error([&] { resized(image, {0, 1}); }), "");
  EXPECT_NE(image_error([&] { resized(Image(), {1, 1}); }), "");
}

TEST(RawImage, ReadsCompressedMessages) {
  const Image image = smooth_image(40, 24);
  ros::CompressedImage compressed;
  compressed.format = "rgb8; png compressed bgr8";
  compressed.data = encode_png(image);
  EXPECT_EQ(image_of_compressed(compressed), image);
  compressed.format = "jpeg";
  compressed.data = encode_jpeg(image);
  EXPECT_EQ(image_of_compressed(compressed, {8, 6}).size(), (ImageSize{8, 6}));
  compressed.data.resize(compressed.data.size() / 2);
  EXPECT_THAT(image_error([&] { image_of_compressed(compressed); }),
              HasSubstr("compressed image: the JPEG file breaks off"));
  compressed.data.clear();
  EXPECT_THAT(image_error([&] { image_of_compressed(compressed); }), HasSubstr("no bytes"));
}

}  // namespace
}  // namespace ovf::test
