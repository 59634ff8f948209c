#include "ovf/recording/frame_reader.hpp"

#include <algorithm>
#include <cmath>

#include "ovf/recording/cdr.hpp"
#include "ovf/recording/message_definition.hpp"
#include "ovf/recording/message_input.hpp"
#include "ovf/recording/ros_image.hpp"
#include "ovf/recording/to_image.hpp"
#include "recording/find_topic.hpp"

namespace ovf {
namespace {

const std::vector<std::string> kImageTypes = {ros::Image::kType, ros::CompressedImage::kType};

Stamp stamp_or(const ros::Time& time, std::int64_t log_time) {
  const Stamp stamp = Stamp{time.sec} * 1'000'000'000 + time.nanosec;
  return stamp == 0 ? log_time : stamp;
}

template <typename M>
void take_image(std::span<const std::byte> bytes, RecordedFrame& frame) {
  M message;
  decode(bytes, message);
  frame.stamp = stamp_or(message.header.stamp, frame.log_time);
  if constexpr (std::is_same_v<M, ros::Image>) {
    frame.image = image_of(message);
  } else {
    frame.image = image_of_compressed(message);
  }
}

std::int64_t after(std::int64_t first, double seconds) {
  constexpr double kLongest = 9e9;  // seconds
  if (!(seconds < kLongest)) return INT64_MAX;
  return first + static_cast<std::int64_t>(std::llround(seconds * 1e9));
}

}  // namespace

FrameReader::FrameReader(const std::filesystem::path& recording, const FrameReaderOptions& options)
    : reader_(open_recording(recording)) {
  const std::vector<Topic> topics = reader_->topics();
  const Topic& images = topics[find_topic(topics, {.who = "camera",
                                                   .topic = options.image_topic,
                                                   .name = "image",
                                                   .types = kImageTypes,
                                                   .possible = kImageTypes})];
  image_topic_ = images.name;
  image_type_ = images.type;
  if (image_type_ == ros::Image::kType) {
    check_topic<ros::Image>(images);
  } else {
    check_topic<ros::CompressedImage>(images);
  }
  ReadOptions read;
  read.topics = {image_topic_};
  if (!options.control_topic.empty()) {
    MotionConfig motion;
    motion.control = ControlKind::kCommand;
    motion.control_topic = options.control_topic;
    const Topic& controls = topics[find_topic(topics, wish_of(motion))];
    control_topic_ = controls.name;
    control_type_ = controls.type;
    read.topics.push_back(control_topic_);
  }
  first_ = reader_->first_time();
  end_ = reader_->last_time();
  if (first_ <= end_) {
    read.start = after(first_, options.start);
    read.end = after(first_, options.start + options.duration);
    first_ = std::max(first_, read.start);
    end_ = std::min(end_, read.end);
  }
  last_ = first_;
  reader_ = open_recording(recording, read);
}

double FrameReader::seconds() const {
  return 1e-9 * static_cast<double>(std::max<std::int64_t>(0, end_ - first_));
}

double FrameReader::seconds_read() const {
  return 1e-9 * static_cast<double>(std::max<std::int64_t>(0, last_ - first_));
}

bool FrameReader::next(RecordedFrame& frame) {
  RecordedMessage message;
  if (!reader_->next(message)) return false;
  last_ = message.log_time;
  frame = {};
  frame.log_time = message.log_time;
  frame.stamp = message.log_time;
  const Topic& topic = reader_->topics()[static_cast<std::size_t>(message.topic)];
  frame.is_control = topic.name == control_topic_;
  try {
    if (frame.is_control) {
      const Sensed sensed = sense_message(control_type_, message.data, message.log_time);
      frame.stamp = sensed.stamp;
      if (sensed.velocity && sensed.turn_rate) {
        frame.control = {sensed.velocity->x(), sensed.turn_rate->z()};
      } else {
        frame.problem = "no velocity, or no turn rate";
      }
    } else if (image_type_ == ros::Image::kType) {
      take_image<ros::Image>(message.data, frame);
    } else {
      take_image<ros::CompressedImage>(message.data, frame);
    }
  } catch (const std::exception& error) {
    frame.problem = error.what();
  }
  return true;
}

}  // namespace ovf
