#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf/estimator/outcome.hpp"
#include "ovf/math/log_histogram.hpp"
#include "ovf/recording/message_input.hpp"

namespace ovf {

struct ReplayOptions {
  EstimatorConfig config = {};
  /// For the summary: what the configuration stands for (see config_of_method), and the noise
  /// levels in it that were tuned.
  std::string method = "ovf";
  std::map<std::string, double> tuned_noise = {};
  /// Seconds from the beginning of the recording, and how long from there on.
  double start = 0.0;
  double duration = std::numeric_limits<double>::infinity();
  /// The first pose on this topic is the first belief's, with the configured deviations; empty: the
  /// configured rule.
  std::string initial_topic = {};
  /// A checkpoint to start from, and one to write at the end; empty: none.
  std::filesystem::path load = {};
  std::filesystem::path save = {};
  /// Called now and then with seconds of the recording done, and of all of it.
  std::function<void(double done, double all)> progress = {};
  /// Asked after each message: true ends the replay in order, before the end of the recording.
  std::function<bool()> interrupted = {};
};

struct ReplaySummary {
  std::vector<TopicUse> uses = {};
  Counters counters = {};
  std::vector<std::string> warnings = {};  ///< of the recording
  std::vector<std::string> findings = {};  ///< what speaks against the model, as ovf::findings
  std::uint64_t recorded = 0;              ///< messages that were read
  double recording_seconds = 0.0;
  double seconds = 0.0;  ///< that it took
  bool initialised = false;
  LogHistogram latency{1e-7, 100.0};  ///< seconds per message of the estimator
  bool interrupted = false;           ///< before the end of the recording
};

/// An estimator over a recording, in the order in which it was recorded, nothing left out, as fast
/// as the machine can. Writes into a new or empty folder:
///   estimates/        a rosbag2 recording: /ovf/posterior, odometry, rollout, rollout_path,
///                     parameters, status, and /tf
///   trajectory.tum    stamp x y z qx qy qz qw, after every message that moved the belief
///   trajectory.csv, parameters.csv, updates.csv, events.csv
///   config.yaml       the configuration, whole
///   machine.json      time and memory: the only file that differs from one run to the next
///   summary.json      what was read, and what became of it; written last, and `complete` in it
///   says
///                     whether the end of the recording was reached
/// Throws std::invalid_argument if the configuration does not fit the recording, RecordingError if
/// a file cannot be read or written; what was written before stays, and can be read.
ReplaySummary replay(const std::filesystem::path& recording, const std::filesystem::path& out,
                     const ReplayOptions& options);

/// Why the result is not what a sound recording with these sensors would have given: damage, a
/// topic of which nothing could be used, no belief, no message of any sensor that was used. Empty:
/// it is.
std::vector<std::string> shortcomings(const ReplaySummary& summary, const EstimatorConfig& config);

}  // namespace ovf
