#include "ovf/vision/image_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <system_error>

#include "vision/files/image_structure.hpp"
#include "vision/files/opencv_image.hpp"

namespace ovf {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr int kPngCompression = 6;

void check_size(ImageSize size) {
  if (size.width < 1 || size.height < 1) {
    throw ImageError(fmt::format("the picture is empty ({} x {})", size.width, size.height));
  }
  if (size.width > kLargestImageSide || size.height > kLargestImageSide) {
    throw ImageError(fmt::format("the picture has {} x {} pixels; up to {} x {} are read",
                                 size.width, size.height, kLargestImageSide, kLargestImageSide));
  }
}

ImageSize checked_size(Bytes bytes) {
  if (bytes.empty()) throw ImageError("there are no bytes");
  ImageSize size;
  if (is_png(bytes)) {
    size = check_png(bytes);
  } else if (is_jpeg(bytes)) {
    size = check_jpeg(bytes);
  } else {
    throw ImageError("neither a PNG nor a JPEG file");
  }
  check_size(size);
  return size;
}

Image decode(Bytes bytes) {
  const ImageSize size = checked_size(bytes);
  const cv::Mat encoded(1, static_cast<int>(bytes.size()), CV_8UC1,
                        const_cast<std::uint8_t*>(bytes.data()));
  const cv::Mat pixels = cv::imdecode(encoded, cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION);
  if (pixels.cols != size.width || pixels.rows != size.height || pixels.type() != CV_8UC3) {
    throw ImageError("the file is damaged: its pixels cannot be decoded");
  }
  Image image(size.width, size.height);
  cv::Mat out = as_opencv(image);
  cv::cvtColor(pixels, out, cv::COLOR_BGR2RGB);
  return image;
}

std::vector<std::uint8_t> encode(const Image& image, const char* ending,
                                 const std::vector<int>& options) {
  check_size(image.size());
  if (image.rgb.size() != Image(image.width, image.height).rgb.size()) {
    throw ImageError(fmt::format("a picture of {} x {} pixels with {} bytes", image.width,
                                 image.height, image.rgb.size()));
  }
  std::vector<std::uint8_t> bytes;
  cv::Mat pixels;
  cv::cvtColor(as_opencv(image), pixels, cv::COLOR_RGB2BGR);
  try {
    if (cv::imencode(ending, pixels, bytes, options)) return bytes;
  } catch (const cv::Exception&) {
    bytes.clear();
  }
  throw ImageError(fmt::format("OpenCV cannot write {} files here", ending));
}

std::vector<std::uint8_t> read_bytes(const std::filesystem::path& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) throw ImageError(fmt::format("cannot be read ({})", error.message()));
  if (size > kLargestImageFile) {
    throw ImageError(
        fmt::format("the file has {} bytes; up to {} are read", size, kLargestImageFile));
  }
  std::vector<std::uint8_t> bytes(size);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!file) throw ImageError("cannot be read; are you allowed to?");
  if (bytes.empty()) throw ImageError("the file is empty");
  return bytes;
}

std::vector<std::uint8_t> encode_by_ending(const std::filesystem::path& path, const Image& image) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".png") return encode_png(image);
  if (ending == ".jpg" || ending == ".jpeg") return encode_jpeg(image);
  throw ImageError(fmt::format("ending '{}'; expected .png, .jpg or .jpeg", ending));
}

/// Calls what may throw, and puts the name before its errors.
template <typename Call>
auto with_name(const std::string& name, const Call& call) {
  try {
    return call();
  } catch (const ImageError& error) {
    throw ImageError(fmt::format("{}: {}", name, error.what()));
  } catch (const cv::Exception& error) {
    throw ImageError(
        fmt::format("{}: the file is damaged, or of a rare kind ({})", name, error.err));
  }
}

}  // namespace

Image decode_image(Bytes bytes, const std::string& name) {
  return with_name(name, [&] { return decode(bytes); });
}

Image read_image(const std::filesystem::path& path) {
  return with_name(path.string(), [&] { return decode(read_bytes(path)); });
}

std::vector<std::uint8_t> encode_png(const Image& image) {
  return encode(image, ".png", {cv::IMWRITE_PNG_COMPRESSION, kPngCompression});
}

std::vector<std::uint8_t> encode_jpeg(const Image& image, int quality) {
  return encode(image, ".jpg", {cv::IMWRITE_JPEG_QUALITY, std::clamp(quality, 1, 100)});
}

void write_image(const std::filesystem::path& path, const Image& image) {
  with_name(path.string(), [&] {
    const std::vector<std::uint8_t> bytes = encode_by_ending(path, image);
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (file.fail()) {
      throw ImageError("cannot be written; is the disk full, or the folder not there?");
    }
  });
}

}  // namespace ovf
