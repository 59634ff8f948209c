#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ovf {

/// Times are log times in nanoseconds since 1970; of no message, first > last.
struct TopicInfo {
  std::string name = {};
  std::string type = {};
  std::uint64_t count = 0;
  std::int64_t first_time = INT64_MAX;
  std::int64_t last_time = INT64_MIN;
  /// Messages per second between the first and the last one; 0 for fewer than two times.
  double rate = 0.0;
  /// Seconds between two messages that follow each other, at most, and the time of the first of
  /// them.
  double longest_gap = 0.0;
  std::int64_t longest_gap_start = 0;
};

/// What is in a recording, by having read it.
struct RecordingInfo {
  std::string path = {};
  int files = 0;
  std::uint64_t bytes = 0;  ///< of the files
  std::uint64_t count = 0;
  std::int64_t first_time = INT64_MAX;
  std::int64_t last_time = INT64_MIN;
  double duration = 0.0;  ///< seconds
  std::vector<TopicInfo> topics = {};
  std::vector<std::string> warnings = {};
};

/// Goes over the recording once. Throws RecordingError.
RecordingInfo inspect_recording(const std::filesystem::path& path);

/// For people: summary, table of topics, warnings. UTF-8.
std::string to_text(const RecordingInfo& info);

/// 2024-05-31T12:00:00.000000000Z.
std::string utc_text(std::int64_t nanoseconds);

}  // namespace ovf
