#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ovf/recording/recording.hpp"
#include "recording/sqlite/sqlite_database.hpp"

namespace ovf {

/// One row of the table messages, without its data.
struct SqliteRow {
  std::int64_t time = 0;
  std::int64_t row = 0;
  std::int64_t topic = 0;
};

/// The rows of the table messages in the order of their times. Where the index of times, or the
/// table, turns out to be damaged, the rows that can be reached without it follow.
class SqliteOrder {
 public:
  SqliteOrder(const SqliteDatabase& database, const ReadOptions& options);

  /// False at the end. What was wrong goes to `warnings`.
  bool next(SqliteRow& row, std::vector<std::string>& warnings);
  /// Rows without integers for time and topic.
  std::uint64_t unusable() const { return unusable_; }

 private:
  bool take(const SqliteStatement& rows, SqliteRow& row);
  void collect_rest(std::vector<std::string>& warnings);
  bool in_range(std::int64_t time) const {
    return time >= start_ && (time < end_ || end_ == INT64_MAX);
  }

  const SqliteDatabase& database_;
  std::int64_t start_;
  std::int64_t end_;
  std::uint64_t rows_left_;
  std::uint64_t unusable_ = 0;
  std::optional<SqliteStatement> rows_;
  SqliteRow last_ = {.time = INT64_MIN, .row = INT64_MIN};
  /// After damage: what is left, last first.
  std::vector<SqliteRow> rest_;
};

}  // namespace ovf
