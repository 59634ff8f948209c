#include "ovf/recording/recording_info.hpp"

#include <algorithm>
#include <system_error>

#include "ovf/recording/recording.hpp"
#include "recording/bag/recording_files.hpp"

namespace ovf {
namespace {

// From `first` to a `last` that is not before it; the difference of any two times fits.
double seconds_between(std::int64_t first, std::int64_t last) {
  return static_cast<double>(static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first)) *
         1e-9;
}

void add_message(TopicInfo& topic, std::int64_t time) {
  if (topic.count > 0 && time > topic.last_time) {
    const double gap = seconds_between(topic.last_time, time);
    if (gap > topic.longest_gap) {
      topic.longest_gap = gap;
      topic.longest_gap_start = topic.last_time;
    }
  }
  ++topic.count;
  topic.first_time = std::min(topic.first_time, time);
  topic.last_time = std::max(topic.last_time, time);
}

}  // namespace

RecordingInfo inspect_recording(const std::filesystem::path& path) {
  RecordingInfo info;
  info.path = path.string();
  for (const auto& file : find_recording_files(path).paths) {
    std::error_code error;
    const auto size = std::filesystem::file_size(file, error);
    if (error) continue;
    ++info.files;
    info.bytes += size;
  }

  const auto reader = open_recording(path);
  RecordedMessage message;
  while (reader->next(message)) {
    const auto topic = static_cast<std::size_t>(message.topic);
    if (topic >= info.topics.size()) info.topics.resize(topic + 1);
    add_message(info.topics[topic], message.log_time);
  }
  info.topics.resize(reader->topics().size());
  for (std::size_t i = 0; i < info.topics.size(); ++i) {
    TopicInfo& topic = info.topics[i];
    topic.name = reader->topics()[i].name;
    topic.type = reader->topics()[i].type;
    info.count += topic.count;
    info.first_time = std::min(info.first_time, topic.first_time);
    info.last_time = std::max(info.last_time, topic.last_time);
    if (topic.last_time <= topic.first_time) continue;
    topic.rate =
        static_cast<double>(topic.count - 1) / seconds_between(topic.first_time, topic.last_time);
  }
  if (info.count > 0) info.duration = seconds_between(info.first_time, info.last_time);
  info.warnings = reader->warnings();
  return info;
}

}  // namespace ovf
