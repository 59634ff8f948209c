#include "ovf/recording/read_pictures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <system_error>
#include <utility>

#include "ovf/config/printable.hpp"
#include "ovf/recording/cdr.hpp"
#include "ovf/recording/message_definition.hpp"
#include "ovf/recording/recording.hpp"
#include "ovf/recording/ros_image.hpp"
#include "ovf/recording/to_image.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostWarnings = 10;

std::string lower_extension(const fs::path& path) {
  std::string out = path.extension().string();
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool is_picture_file(const fs::path& path) {
  const std::string ending = lower_extension(path);
  return ending == ".png" || ending == ".jpg" || ending == ".jpeg";
}

bool is_recording_file(const fs::path& path) {
  const std::string ending = lower_extension(path);
  return ending == ".mcap" || ending == ".db3";
}

bool is_recording(const fs::path& path) {
  if (!fs::is_directory(path)) return is_recording_file(path);
  if (fs::exists(path / "metadata.yaml")) return true;
  std::error_code error;
  return std::any_of(fs::directory_iterator(path, error), fs::directory_iterator(),
                     [](const auto& entry) { return is_recording_file(entry.path()); });
}

/// Links to folders are not followed, as they may lead in circles.
std::vector<fs::path> picture_files(const fs::path& folder, Pictures& out) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (is_picture_file(at->path()) && at->is_regular_file(error)) files.push_back(at->path());
  }
  if (error) {
    out.warnings.push_back(
        fmt::format("{}: not read to its end ({})", folder.string(), error.message()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

class PictureReader {
 public:
  explicit PictureReader(PictureOptions options) : options_(std::move(options)) {}

  void read(const fs::path& path) {
    std::error_code error;
    const std::size_t before = seen_;
    if (!fs::exists(path, error)) {
      throw RecordingError(fmt::format("{}: there is no such file or folder", path.string()));
    }
    if (is_recording(path)) {
      read_recording(path);
    } else if (fs::is_directory(path)) {
      for (const fs::path& file : picture_files(path, out)) read_file(file);
    } else {
      read_file(path);
    }
    if (seen_ == before) {
      throw RecordingError(
          fmt::format("{}: no pictures; expected PNG or JPEG files, or a recording with "
                      "sensor_msgs/Image or CompressedImage",
                      path.string()));
    }
  }

  Pictures out;

 private:
  bool wanted() { return seen_++ % static_cast<std::size_t>(std::max(1, options_.every)) == 0; }

  template <typename Make>
  void add(const std::string& name, const Make& make) {
    try {
      out.images.push_back(resized(make(), options_.size));
    } catch (const std::runtime_error& error) {
      const std::string what = error.what();
      if (++out.bad <= kMostWarnings) {
        out.warnings.push_back(
            printable_lines(what.starts_with(name) ? what : fmt::format("{}: {}", name, what)));
      }
    }
    if (options_.progress) options_.progress();
  }

  void read_file(const fs::path& path) {
    if (wanted()) add(path.string(), [&] { return read_image(path); });
  }

  const Topic& find_topic(const fs::path& path, const std::vector<Topic>& topics) const {
    std::vector<std::string> all;
    const Topic* found = nullptr;
    for (const Topic& topic : topics) {
      if (topic.type != ros::Image::kType && topic.type != ros::CompressedImage::kType) continue;
      if (topic.name == options_.topic) return topic;
      all.push_back(printable(topic.name));
      found = &topic;
    }
    if (options_.topic.empty() && all.size() == 1) return *found;
    throw RecordingError(
        fmt::format("{}: {}. Topics with pictures: {}.", path.string(),
                    options_.topic.empty() ? "expected one topic with pictures; choose with --topic"
                                           : fmt::format("no pictures on topic {}", options_.topic),
                    all.empty() ? "none" : fmt::format("{}", fmt::join(all, ", "))));
  }

  void read_recording(const fs::path& path) {
    const Topic topic = find_topic(path, open_recording(path)->topics());
    const bool is_raw = topic.type == ros::Image::kType;
    if (is_raw) {
      check_topic<ros::Image>(topic);
    } else {
      check_topic<ros::CompressedImage>(topic);
    }
    const auto reader = open_recording(path, {.topics = {topic.name}});
    RecordedMessage message;
    while (reader->next(message)) {
      if (!wanted()) continue;
      add(fmt::format("{}, {} at {}", path.string(), printable(topic.name), message.log_time), [&] {
        if (!is_raw) {
          decode(message.data, compressed_);
          return image_of_compressed(compressed_);
        }
        decode(message.data, raw_);
        return image_of(raw_);
      });
    }
    for (const std::string& warning : reader->warnings()) out.warnings.push_back(warning);
  }

  PictureOptions options_;
  std::size_t seen_ = 0;
  ros::Image raw_;
  ros::CompressedImage compressed_;
};

}  // namespace

Pictures read_pictures(const std::vector<fs::path>& paths, const PictureOptions& options) {
  PictureReader reader(options);
  for (const fs::path& path : paths) reader.read(path);
  return std::move(reader.out);
}

}  // namespace ovf
