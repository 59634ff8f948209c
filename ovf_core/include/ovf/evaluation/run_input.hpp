#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf/estimator/robot_log.hpp"
#include "ovf/estimator/start_at_pose.hpp"
#include "ovf/evaluation/read_run.hpp"

namespace ovf {

/// Everything that a run over recorded messages needs, in memory.
struct RunInput {
  std::vector<Message> messages = {};
  GroundTruth truth = {};
  /// Where it starts; none: by the configured rule.
  std::optional<InitialPose> start = {};
  /// Messages that a sensor could make nothing of.
  std::vector<std::string> warnings = {};
  /// What is wrong with the files of the recording, and of the truth.
  std::vector<std::string> damage = {};
};

struct RecordingInputOptions {
  /// A topic or a file; empty: a topic that is called ground_truth.
  std::string ground_truth = {};
  /// A topic, or `truth`: its first pose is where the run starts. Empty: the truth where
  /// initial.rule is call, else as configured.
  std::string initial = {};
  /// Added to the recording's times for those of the truth, in seconds.
  double time_offset = 0.0;
};

/// Of a recording with the messages that the sensors of a configuration take. Throws
/// RecordingError, and std::invalid_argument if the configuration does not fit the recording or
/// there is no ground truth.
RunInput read_recording_input(const std::filesystem::path& recording, const EstimatorConfig& config,
                              const RecordingInputOptions& options = {});

/// The truth of a log.
GroundTruth truth_of(const RobotLog& log);

/// Where initial.rule is call: the true pose at the first message. Throws std::invalid_argument if
/// there is none.
std::optional<InitialPose> start_of(const RobotLog& log, const EstimatorConfig& config);

}  // namespace ovf
