#include "ovf/vision/image_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "evaluation/temporary_folder.hpp"
#include "vision/image_cases.hpp"

namespace ovf::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using Bytes = std::vector<std::uint8_t>;

std::string decode_error(const Bytes& bytes) {
  return image_error([&] { decode_image(bytes, "this"); });
}

class ImageFile : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const Bytes& bytes) {
    std::ofstream file(folder_.path() / name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return folder_.path() / name;
  }
  std::string read_error(const std::filesystem::path& path) {
    const std::string error = image_error([&] { read_image(path); });
    EXPECT_THAT(error, StartsWith(path.string()));
    return error;
  }

  TemporaryFolder folder_;
};

TEST_F(ImageFile, PngComesBackBitForBit) {
  const Image image = random_image(7, 5);
  write_image(folder_.path() / "a.png", image);
  EXPECT_EQ(read_image(folder_.path() / "a.png"), image);
  EXPECT_EQ(encode_png(image), encode_png(image));
}

TEST_F(ImageFile, JpegComesBackNearly) {
  const Image image = smooth_image(48, 32);
  write_image(folder_.path() / "a.JPG", image);
  const Image back = read_image(folder_.path() / "a.JPG");
  ASSERT_EQ(back.size(), image.size());
  for (std::size_t k = 0; k < image.rgb.size(); ++k) {
    EXPECT_NEAR(back.rgb[k], image.rgb[k], 16) << k;
  }
}

TEST_F(ImageFile, SaysWhatIsWrongWithAFile) {
  EXPECT_THAT(read_error(folder_.path() / "none.png"), HasSubstr("cannot be read"));
  EXPECT_THAT(read_error(folder_.path()), HasSubstr("cannot be read"));
  EXPECT_THAT(read_error(write("empty.png", {})), HasSubstr("the file is empty"));
  EXPECT_THAT(read_error(write("text.png", {'h', 'e', 'l', 'l', 'o'})),
              HasSubstr("neither a PNG nor a JPEG file"));
}

TEST_F(ImageFile, SaysWhatCannotBeWritten) {
  const Image image = random_image(4, 4);
  const auto error = [&](const char* name, const Image& what) {
    return image_error([&] { write_image(folder_.path() / name, what); });
  };
  EXPECT_THAT(error("a.gif", image), AllOf(HasSubstr("a.gif"), HasSubstr(".png, .jpg or .jpeg")));
  EXPECT_THAT(error("none/a.png", image), AllOf(HasSubstr("none/a.png"), HasSubstr("written")));
  EXPECT_THAT(error("a.png", Image()), HasSubstr("empty"));
  Image wrong = image;
  wrong.rgb.pop_back();
  EXPECT_THAT(error("a.png", wrong), HasSubstr("47 bytes"));
}

TEST(ImageFileDamage, EveryTruncatedFileIsAnError) {
  for (const Bytes& whole : {encode_png(random_image(9, 6)), encode_jpeg(smooth_image(40, 24))}) {
    ASSERT_EQ(decode_error(whole), "");
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_THAT(decode_error(cut), StartsWith("this: ")) << size;
    }
  }
}

TEST(ImageFileDamage, EveryChangedBitOfAPngIsAnError) {
  const Bytes whole = encode_png(random_image(5, 4));
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    Bytes changed = whole;
    changed[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
    EXPECT_NE(decode_error(changed), "") << bit;
  }
}

TEST(ImageFileDamage, ChangedJpegIsAnErrorOrAPicture) {
  const Bytes whole = encode_jpeg(smooth_image(40, 24));
  RandomStream random(3);
  for (int k = 0; k < 500; ++k) {
    Bytes changed = whole;
    for (int changes = 0; changes < 4; ++changes) {
      const auto place =
          static_cast<std::size_t>(random.uniform_index(static_cast<int>(whole.size())));
      changed[place] = static_cast<std::uint8_t>(random.bits());
    }
    try {
      const Image image = decode_image(changed);
      EXPECT_EQ(image.rgb.size(), 3U * static_cast<std::size_t>(image.width * image.height));
    } catch (const ImageError&) {
      continue;
    }
  }
}

TEST(ImageFileDamage, BrokenStructureOfAJpegIsAnError) {
  const Bytes whole = encode_jpeg(smooth_image(40, 24));
  Bytes no_marker = whole;
  no_marker[20] = 0;  // where the second part begins
  EXPECT_THAT(decode_error(no_marker), HasSubstr("no marker at byte 20"));
  EXPECT_THAT(decode_error({0xff, 0xd8, 0xff, 0xd9}), HasSubstr("no pixels"));
  EXPECT_THAT(decode_error({0xff, 0xd8, 0xff, 0xe0, 0, 1}), HasSubstr("length 1"));
}

TEST(ImageFileDamage, RandomBytesAfterASignatureAreAnError) {
  RandomStream random(5);
  const Bytes png{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  for (const Bytes& start : {png, Bytes{0xff, 0xd8, 0xff}, Bytes{}}) {
    for (int k = 0; k < 200; ++k) {
      Bytes bytes = start;
      const int size = random.uniform_index(300);
      for (int i = 0; i < size; ++i) bytes.push_back(static_cast<std::uint8_t>(random.bits()));
      EXPECT_NE(decode_error(bytes), "");
    }
  }
}

TEST(ImageFileDamage, TooLargePicturesAreRefusedByTheirHeader) {
  EXPECT_EQ(decode_error(encode_png(Image(kLargestImageSide, 1))), "");
  EXPECT_THAT(image_error([] { encode_png(Image(kLargestImageSide + 1, 1)); }),
              HasSubstr("4097 x 1"));
  Bytes jpeg = encode_jpeg(smooth_image(40, 24));
  for (std::size_t k = 0; k + 8 < jpeg.size(); ++k) {
    if (jpeg[k] != 0xff || jpeg[k + 1] != 0xc0) continue;
    jpeg[k + 5] = 0xff;  // the height's high byte
    break;
  }
  EXPECT_THAT(decode_error(jpeg), HasSubstr("up to 4096 x 4096"));
}

}  // namespace
}  // namespace ovf::test
