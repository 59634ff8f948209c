#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "ovf/recording/recording.hpp"

namespace ovf::test {

/// The tables of the first rosbag2.
inline const char* const kOldTables =
    "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,"
    " serialization_format TEXT NOT NULL);"
    "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL,"
    " timestamp INTEGER NOT NULL, data BLOB NOT NULL);";

/// Those of Jazzy, with the index of times.
inline const char* const kNewTables =
    "CREATE TABLE schema(schema_version INTEGER PRIMARY KEY, ros_distro TEXT NOT NULL);"
    "CREATE TABLE metadata(id INTEGER PRIMARY KEY, metadata_version INTEGER NOT NULL,"
    " metadata TEXT NOT NULL);"
    "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,"
    " serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL,"
    " type_description_hash TEXT NOT NULL);"
    "CREATE TABLE message_definitions(id INTEGER PRIMARY KEY, topic_type TEXT NOT NULL,"
    " encoding TEXT NOT NULL, encoded_message_definition TEXT NOT NULL,"
    " type_description_hash TEXT NOT NULL);"
    "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL,"
    " timestamp INTEGER NOT NULL, data BLOB NOT NULL);"
    "CREATE INDEX timestamp_idx ON messages (timestamp ASC);"
    "INSERT INTO schema VALUES (4, 'jazzy');";

/// Writes a database; open until its end.
class SqliteFile {
 public:
  explicit SqliteFile(const std::filesystem::path& path, const std::string& script = "") {
    check(sqlite3_open(path.c_str(), &database_));
    run("PRAGMA synchronous = OFF;");
    run(script);
  }
  ~SqliteFile() { sqlite3_close(database_); }
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;

  void run(const std::string& script) {
    check(sqlite3_exec(database_, script.c_str(), nullptr, nullptr, nullptr));
  }

  void add_message(std::int64_t topic, std::int64_t time, const std::string& data) {
    sqlite3_stmt* insert = nullptr;
    check(sqlite3_prepare_v2(database_,
                             "INSERT INTO messages(topic_id, timestamp, data) VALUES (?, ?, ?)", -1,
                             &insert, nullptr));
    sqlite3_bind_int64(insert, 1, topic);
    sqlite3_bind_int64(insert, 2, time);
    sqlite3_bind_blob(insert, 3, data.data(), static_cast<int>(data.size()), SQLITE_TRANSIENT);
    sqlite3_step(insert);
    check(sqlite3_finalize(insert));
  }

 private:
  void check(int status) const {
    if (status != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(database_));
  }

  sqlite3* database_ = nullptr;
};

struct TimedMessage {
  std::string topic;
  std::int64_t time = 0;
  std::string data;

  bool operator==(const TimedMessage&) const = default;
};

inline std::vector<TimedMessage> read_timed(RecordingReader& reader) {
  std::vector<TimedMessage> messages;
  RecordedMessage message;
  while (reader.next(message)) {
    messages.push_back(
        {reader.topics().at(static_cast<std::size_t>(message.topic)).name, message.log_time,
         std::string(reinterpret_cast<const char*>(message.data.data()), message.data.size())});
  }
  return messages;
}

/// What a call says when it refuses; "accepted" if it does not.
template <typename Call>
std::string refusal_of(Call call) {
  try {
    call();
  } catch (const RecordingError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace ovf::test
