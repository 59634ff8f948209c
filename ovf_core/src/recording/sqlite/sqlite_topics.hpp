#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "ovf/recording/recording.hpp"
#include "recording/sqlite/sqlite_database.hpp"

namespace ovf {

struct SqliteTopics {
  std::vector<Topic> topics;
  /// Index of a topic by its id in the file.
  std::unordered_map<std::int64_t, int> index;
};

/// The tables topics and, in newer files, message_definitions. Throws RecordingError.
SqliteTopics read_sqlite_topics(const SqliteDatabase& database, std::vector<std::string>& warnings);

}  // namespace ovf
