#include "ovf/vision/image_folder.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "ovf/vision/image_file.hpp"

namespace ovf {

ImageFolder::ImageFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) {
    throw ImageError(fmt::format("{}: cannot be created ({})", folder_.string(), error.message()));
  }
  if (!std::filesystem::is_empty(folder_, error) || error) {
    throw ImageError(fmt::format("{}: not empty; a new or empty folder is needed for pictures",
                                 folder_.string()));
  }
  index_.open(folder_ / "index.csv", std::ios::binary | std::ios::trunc);
  index_ << "stamp,file,v,w,x,y,yaw\n";
  check_index();
}

void ImageFolder::write(const CameraFrame& frame) {
  const std::string file = fmt::format("{:06}.png", frames_++);
  write_image(folder_ / file, frame.image);
  index_ << fmt::format("{},{},{},{},{},{},{}\n", frame.stamp, file, frame.control[0],
                        frame.control[1], frame.pose.x, frame.pose.y, frame.pose.yaw);
  check_index();
}

void ImageFolder::close() {
  index_.close();
  check_index();
}

void ImageFolder::check_index() const {
  if (index_.fail()) {
    throw ImageError(
        fmt::format("{}: cannot be written; is the disk full?", (folder_ / "index.csv").string()));
  }
}

}  // namespace ovf
