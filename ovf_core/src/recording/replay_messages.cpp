#include "ovf/recording/replay_messages.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace ovf {
namespace {

/// All that an estimator is given, or no more than the first recorded message that brings
/// something.
std::vector<Message> read(const std::filesystem::path& recording, const ReplayOptions& options,
                          bool first_only) {
  auto reader = open_recording(recording);
  MessageInput input(options.config, reader->topics());
  ReadOptions read = replay_window(*reader, options);
  read.topics = input.topics();
  reader = open_recording(recording, read);
  RecordedMessage message;
  std::vector<Message> messages;
  while (!(first_only && !messages.empty()) && reader->next(message)) input.read(message, messages);
  return messages;
}

}  // namespace

ReadOptions replay_window(const RecordingReader& reader, const ReplayOptions& options) {
  ReadOptions read;
  const std::int64_t first = reader.first_time();
  if (first > reader.last_time()) return read;
  const double longest = static_cast<double>(INT64_MAX) * 1e-9;
  const auto after_first = [&](double seconds) {
    const double end = static_cast<double>(first) * 1e-9 + seconds;
    if (!(end < 0.99 * longest)) return INT64_MAX;
    return first + static_cast<std::int64_t>(std::llround(seconds * 1e9));
  };
  if (options.start > 0.0) read.start = after_first(options.start);
  read.end = after_first(options.start + options.duration);
  return read;
}

std::optional<InitialPose> initial_pose(const std::filesystem::path& recording,
                                        const ReplayOptions& options) {
  if (options.initial_topic.empty()) return std::nullopt;
  auto reader = open_recording(recording);
  EstimatorConfig config = options.config;
  config.motion.control = ControlKind::kNone;
  config.sensors = {{.name = "initial", .topic = options.initial_topic, .kind = SensorKind::kPose}};
  MessageInput input(config, reader->topics());
  ReadOptions read = replay_window(*reader, options);
  read.topics = input.topics();
  reader = open_recording(recording, read);
  const std::vector<Message> first = ovf::read(recording, options, true);
  RecordedMessage message;
  std::vector<Message> poses;
  while ((poses.empty() || (!first.empty() && stamp_of(poses.back()) < stamp_of(first.front()))) &&
         reader->next(message)) {
    input.read(message, poses);
  }
  if (poses.empty()) {
    throw std::invalid_argument(
        fmt::format("there is no pose on {} to start from", options.initial_topic));
  }
  const auto& pose = std::get<Measurement>(poses.back());
  InitialPose initial{.stamp = pose.stamp};
  if (pose.y.size() == 7) {
    initial.position = pose.y.head<3>();
    initial.orientation = measured_orientation(pose);
  } else {
    initial.position.head<2>() = pose.y.head<2>();
    initial.orientation = Eigen::AngleAxisd(pose.y[2], Eigen::Vector3d::UnitZ());
  }
  return initial;
}

std::vector<Message> read_messages(const std::filesystem::path& recording,
                                   const ReplayOptions& options) {
  return read(recording, options, false);
}

}  // namespace ovf
