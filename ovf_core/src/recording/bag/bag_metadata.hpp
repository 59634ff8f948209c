#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ovf/recording/recording.hpp"

namespace ovf {

/// What metadata.yaml of a rosbag2 folder says, as far as it is of use.
struct BagMetadata {
  std::vector<std::string> files = {};
  std::vector<Topic> topics = {};
  std::string compression_format = {};
  std::string compression_mode = {};  ///< in lower case: file, message, none
};

/// Any version, 1 to 9 so far. Throws RecordingError.
BagMetadata parse_bag_metadata(const std::string& text, const std::string& source_name);

/// What metadata.yaml of one new file says.
struct BagSummary {
  std::string file = {};
  std::vector<Topic> topics = {};
  std::vector<std::uint64_t> counts = {};  ///< of messages, for each topic
  std::int64_t first_time = INT64_MAX;
  std::int64_t last_time = INT64_MIN;
};

/// Version 5: Humble writes it, and later ones read it.
std::string bag_metadata_text(const BagSummary& summary);

}  // namespace ovf
