#include "ovf/evaluation/run_input.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "evaluation/pose_parts.hpp"
#include "ovf/config/printable.hpp"
#include "ovf/recording/message_input.hpp"
#include "ovf/recording/recording.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

// The first that is not before the first message: what lies between says nothing of the robot.
InitialPose first_pose(const GroundTruth& poses, double time_offset, const RunInput& input) {
  std::size_t i = 0;
  while (i + 1 < poses.poses.size() && !input.messages.empty() &&
         later(poses.poses[i].stamp, -time_offset) < stamp_of(input.messages.front())) {
    ++i;
  }
  const PoseSample& first = poses.poses[i];
  InitialPose pose{.stamp = later(first.stamp, -time_offset), .position = first.position};
  if (poses.has_orientation) pose.orientation = first.orientation;
  return pose;
}

void read_messages(const fs::path& recording, const EstimatorConfig& config, RunInput& out) {
  MessageInput input(config, open_recording(recording)->topics());
  const auto reader = open_recording(recording, {.topics = input.topics()});
  RecordedMessage message;
  while (reader->next(message)) input.read(message, out.messages);
  out.damage = reader->warnings();
  for (const TopicUse& use : input.uses()) {
    for (const auto& [reason, count] : use.unused) {
      out.warnings.push_back(
          fmt::format("{}: {} messages unusable ({})", printable(use.topic), count, reason));
    }
  }
}

}  // namespace

RunInput read_recording_input(const fs::path& recording, const EstimatorConfig& config,
                              const RecordingInputOptions& options) {
  if (!usable_seconds(options.time_offset)) {
    throw std::invalid_argument(
        fmt::format("the time offset is {}; expected seconds", options.time_offset));
  }
  RunInput out;
  out.truth = read_ground_truth(options.ground_truth, recording, {});
  if (out.truth.poses.empty()) {
    throw std::invalid_argument(fmt::format(
        "{}: has no topic that is called ground_truth; name one, or a file", recording.string()));
  }
  read_messages(recording, config, out);
  out.damage.insert(out.damage.end(), out.truth.warnings.begin(), out.truth.warnings.end());
  const bool at_truth = options.initial.empty() ? config.initial.rule == InitialRule::kCall
                                                : options.initial == "truth";
  if (at_truth) {
    out.start = first_pose(out.truth, options.time_offset, out);
  } else if (!options.initial.empty()) {
    out.start = first_pose(read_ground_truth(options.initial, recording, {}), 0.0, out);
  }
  return out;
}

GroundTruth truth_of(const RobotLog& log) {
  GroundTruth truth{.source = "log"};
  truth.poses.reserve(log.truth.size());
  for (const TruePose& pose : log.truth) {
    truth.poses.push_back({.stamp = pose.stamp,
                           .position = {pose.x, pose.y, 0.0},
                           .orientation = yaw_rotation(pose.yaw)});
  }
  return truth;
}

std::optional<InitialPose> start_of(const RobotLog& log, const EstimatorConfig& config) {
  if (config.initial.rule != InitialRule::kCall) return std::nullopt;
  if (log.truth.empty() || log.messages.empty()) {
    throw std::invalid_argument(
        "initial.rule is call; expected a log with messages, and with true poses to start at");
  }
  const Stamp first = stamp_of(log.messages.front());
  std::size_t i = 0;
  while (i + 1 < log.truth.size() && log.truth[i].stamp < first) ++i;
  return InitialPose{.stamp = first,
                     .position = {log.truth[i].x, log.truth[i].y, 0.0},
                     .orientation = yaw_rotation(log.truth[i].yaw)};
}

}  // namespace ovf
