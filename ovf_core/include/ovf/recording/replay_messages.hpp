#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "ovf/estimator/start_at_pose.hpp"
#include "ovf/recording/recording.hpp"
#include "ovf/recording/replay.hpp"

namespace ovf {

/// Log times of the part of the recording that is to be read.
ReadOptions replay_window(const RecordingReader& reader, const ReplayOptions& options);

/// The first pose on ReplayOptions::initial_topic, none if that is empty. Throws
/// std::invalid_argument if there is no such pose.
std::optional<InitialPose> initial_pose(const std::filesystem::path& recording,
                                        const ReplayOptions& options);

/// What an estimator is given in a replay, in the order in which it was recorded. Throws as replay
/// does.
std::vector<Message> read_messages(const std::filesystem::path& recording,
                                   const ReplayOptions& options);

}  // namespace ovf
