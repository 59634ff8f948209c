#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ovf/evaluation/trajectory_alignment.hpp"

namespace ovf {

/// One run of a benchmark: recorded messages with a ground truth, and the configuration of the
/// robot.
struct BenchmarkEntry {
  std::string name = {};
  /// One of the two: a rosbag2 recording, or the folder of a log of some kind (robot_log_kinds).
  std::filesystem::path recording = {};
  std::filesystem::path log = {};
  std::string kind = "log";
  int robot = 1;
  std::vector<std::filesystem::path> configs = {};
  /// As RecordingInputOptions.
  std::string ground_truth = {};
  std::string initial = {};
  AlignmentKind alignment = AlignmentKind::kNone;
  double time_offset = 0.0;
  /// Whether heights count; none: as the motion has them.
  std::optional<bool> planar = {};
  /// Why it cannot be run; empty: nothing is known of that.
  std::string error = {};
};

/// The name of the file that describes a folder.
inline constexpr const char* kBenchmarkFile = "benchmark.yaml";

/// From a file (docs/recordings.md); its paths are relative to it. Throws std::invalid_argument
/// with file, line, key and what was expected, and std::runtime_error if it cannot be read.
std::vector<BenchmarkEntry> read_benchmark_file(const std::filesystem::path& path);

/// Of a folder without such a file: every recording below it that has a topic called ground_truth
/// and a configuration beside it (in its folder or in the parent), with the landmarks.yaml of its
/// folder. In the order of names. Throws std::runtime_error if the folder cannot be read.
std::vector<BenchmarkEntry> find_benchmark_entries(const std::filesystem::path& folder);

}  // namespace ovf
