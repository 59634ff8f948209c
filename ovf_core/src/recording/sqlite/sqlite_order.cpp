#include "recording/sqlite/sqlite_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace ovf {
namespace {

using Step = SqliteStatement::Step;

// A row takes more bytes than this; damaged pages could give more rows, even without end.
constexpr std::uint64_t kBytesPerRow = 4;

bool comes_later(const SqliteRow& a, const SqliteRow& b) {
  return std::tie(a.time, a.row) > std::tie(b.time, b.row);
}

}  // namespace

SqliteOrder::SqliteOrder(const SqliteDatabase& database, const ReadOptions& options)
    : database_(database),
      start_(options.start),
      end_(options.end),
      rows_left_(database.size() / kBytesPerRow) {
  std::string query = "SELECT timestamp, rowid, topic_id FROM main.messages WHERE 1";
  if (start_ != INT64_MIN) query += " AND timestamp >= ?1";
  if (end_ != INT64_MAX) query += " AND timestamp < ?2";
  // With rosbag2's index of times nothing is sorted: rows come as the index has them.
  rows_ = database.prepare(query + " ORDER BY timestamp, rowid");
  rows_->bind(1, start_);
  rows_->bind(2, end_);
}

bool SqliteOrder::take(const SqliteStatement& rows, SqliteRow& row) {
  if (!rows.is_integer(0) || !rows.is_integer(2)) {
    ++unusable_;
    return false;
  }
  row = {.time = rows.integer(0), .row = rows.integer(1), .topic = rows.integer(2)};
  return in_range(row.time);
}

bool SqliteOrder::next(SqliteRow& row, std::vector<std::string>& warnings) {
  while (rows_) {
    const Step step = rows_->step();
    if (step == Step::kRow && rows_left_ > 0) {
      --rows_left_;
      if (!take(*rows_, row)) continue;
      // An index that goes back in time is damaged, too.
      if (comes_later(row, last_)) {
        last_ = row;
        return true;
      }
    }
    if (step != Step::kDone) {
      warnings.push_back(
          fmt::format("{}: is damaged: {} after the message at {} ns", database_.name(),
                      step == Step::kBroken ? rows_->error() : "its index of times is not in order",
                      last_.time));
      collect_rest(warnings);
    }
    rows_.reset();
  }
  if (rest_.empty()) return false;
  row = rest_.back();
  rest_.pop_back();
  return true;
}

// In the order of the table, without the index, up to where that breaks off as well. This is the
// one case that takes memory for every row.
void SqliteOrder::collect_rest(std::vector<std::string>& warnings) {
  SqliteStatement rows = database_.prepare(
      "SELECT timestamp, rowid, topic_id FROM main.messages NOT INDEXED ORDER BY rowid");
  std::uint64_t rows_left = database_.size() / kBytesPerRow;
  std::int64_t last_row = INT64_MIN;
  Step step = rows.step();
  for (; step == Step::kRow && rows_left > 0; step = rows.step(), --rows_left) {
    SqliteRow row;
    if (!take(rows, row)) continue;
    if (row.row <= last_row) break;
    last_row = row.row;
    if (comes_later(row, last_)) rest_.push_back(row);
  }
  std::sort(rest_.begin(), rest_.end(), comes_later);
  warnings.push_back(fmt::format("{}: {} more messages were found without the index{}",
                                 database_.name(), rest_.size(),
                                 step == Step::kDone ? "" : "; those after them are lost"));
}

}  // namespace ovf
