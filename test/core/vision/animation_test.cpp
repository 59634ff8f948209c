#include "ovf/vision/animation.hpp"

#include <gtest/gtest.h>

#include <string>

#include "ovf/vision/image_file.hpp"

namespace ovf {
namespace {

std::vector<Image> three_pictures() {
  std::vector<Image> images;
  for (int k = 0; k < 3; ++k) {
    Image& image = images.emplace_back(5, 4);
    image.at(k, k)[0] = 200;
  }
  return images;
}

int count(const std::vector<std::uint8_t>& bytes, const std::string& name) {
  const std::string text(bytes.begin(), bytes.end());
  int found = 0;
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) ++found;
  return found;
}

// The reader checks every chunk's checksum.
TEST(Animation, IsAPngFileThatShowsTheFirstPicture) {
  const auto images = three_pictures();
  EXPECT_EQ(decode_image(encode_animation(images, 0.1)), images[0]);
}

TEST(Animation, HasAControlForEachPicture) {
  const auto bytes = encode_animation(three_pictures(), 0.1);
  EXPECT_EQ(count(bytes, "acTL"), 1);
  EXPECT_EQ(count(bytes, "fcTL"), 3);
  EXPECT_EQ(count(bytes, "fdAT"), 2);
}

TEST(Animation, NeedsPicturesOfOneSize) {
  EXPECT_THROW(encode_animation({}, 0.1), ImageError);
  auto images = three_pictures();
  images.emplace_back(6, 4);
  EXPECT_THROW(encode_animation(images, 0.1), ImageError);
}

}  // namespace
}  // namespace ovf
