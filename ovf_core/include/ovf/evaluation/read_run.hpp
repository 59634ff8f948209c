#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ovf/evaluation/run_record.hpp"

namespace ovf {

/// What a run wrote: the folder of a replay, or a recording in which a live estimator's messages
/// are. Damage, and a replay that did not reach its end, are warnings of the record. Throws
/// RecordingError, also if there are no estimates in it.
RunRecord read_run(const std::filesystem::path& path);

/// Poses of an independent system.
struct GroundTruth {
  std::string source = {};  ///< topic or file; empty: there is none
  std::vector<PoseSample> poses = {};
  bool has_orientation = true;
  /// What was wrong with the recording that it is from.
  std::vector<std::string> warnings = {};
};

/// From a file (TUM: stamp x y z qx qy qz qw; or CSV with a header: stamp,x,y,yaw with stamps in
/// nanoseconds), or from a topic of the run's recording, with a pose, a place or a fix. Without a
/// name: a topic whose name has "ground_truth" or "groundtruth" in it, if there is one. Throws
/// RecordingError, naming the topics that there are.
GroundTruth read_ground_truth(const std::string& name, const std::filesystem::path& run,
                              const RunRecord& record);

}  // namespace ovf
