#include "ovf/recording/sqlite_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "recording/bag/message_decompressor.hpp"
#include "recording/sqlite/sqlite_database.hpp"
#include "recording/sqlite/sqlite_messages.hpp"
#include "recording/sqlite/sqlite_order.hpp"
#include "recording/sqlite/sqlite_topics.hpp"

namespace ovf {
namespace {

using Step = SqliteStatement::Step;

constexpr const char* kNotRosbag = "Expected a .db3 file that rosbag2 has recorded.";

class SqliteReader : public RecordingReader {
 public:
  SqliteReader(SqliteDatabase database, const ReadOptions& options,
               std::vector<std::string> warnings, std::shared_ptr<UnpackPool> pool)
      : database_(std::move(database)),
        warnings_(std::move(warnings)),
        budget_(database_.size(), std::move(pool)),
        topics_(read_sqlite_topics(database_, warnings_)),
        bytes_left_(database_.size()) {
    check_messages();
    for (const Topic& topic : topics_.topics) {
      wanted_.push_back(options.topics.empty() ||
                        std::find(options.topics.begin(), options.topics.end(), topic.name) !=
                            options.topics.end());
    }
    read_summary();
    order_.emplace(database_, options);
    data_ = database_.prepare("SELECT data FROM main.messages WHERE rowid = ?1");
  }

  const std::vector<Topic>& topics() const override { return topics_.topics; }
  std::int64_t first_time() const override { return first_; }
  std::int64_t last_time() const override { return last_; }
  std::uint64_t message_count() const override { return count_; }
  const std::vector<std::string>& warnings() const override { return warnings_; }

  bool next(RecordedMessage& message) override {
    if (finished_) return false;
    SqliteRow row;
    while (bytes_left_ > 0 && order_->next(row, warnings_)) {
      const auto topic = topics_.index.find(row.topic);
      if (topic == topics_.index.end()) {
        leave_out(row, fmt::format("there is no topic {}", row.topic));
        continue;
      }
      if (!wanted_[static_cast<std::size_t>(topic->second)]) continue;
      // rosbag2 keeps one time only, that of its arrival.
      message = {.topic = topic->second, .log_time = row.time, .publish_time = row.time};
      if (read_data(row, message)) return true;
    }
    finish();
    return false;
  }

 private:
  void check_messages() const {
    const auto columns = database_.columns("messages");
    const auto has = [&](const char* name) {
      return std::find(columns.begin(), columns.end(), name) != columns.end();
    };
    if (columns.empty()) database_.fail("has no table messages", kNotRosbag);
    for (const auto* name : {"topic_id", "timestamp", "data"}) {
      if (has(name)) continue;
      database_.fail(fmt::format("has no column {} in its table messages", name), kNotRosbag);
    }
    // It would stand for a column instead of the number of the row.
    if (has("rowid")) database_.fail("has a column rowid in its table messages", kNotRosbag);
  }

  // Two queries, as SQLite finds only a single smallest or largest value by the index. The
  // condition keeps it from counting in one instruction, which could not be stopped.
  void read_summary() {
    SqliteStatement first = database_.prepare("SELECT MIN(timestamp) FROM main.messages");
    SqliteStatement last = database_.prepare("SELECT MAX(timestamp) FROM main.messages");
    if (first.step() == Step::kRow && first.is_integer(0) && last.step() == Step::kRow &&
        last.is_integer(0)) {
      first_ = first.integer(0);
      last_ = last.integer(0);
    }
    SqliteStatement count =
        database_.prepare("SELECT COUNT(*) FROM main.messages WHERE timestamp IS NOT NULL");
    if (count.step() == Step::kRow) count_ = static_cast<std::uint64_t>(count.integer(0));
  }

  bool read_data(const SqliteRow& row, RecordedMessage& message) {
    data_->restart(row.row);
    if (data_->step() != Step::kRow) {
      leave_out(row, fmt::format("its data cannot be read ({})", data_->error()));
      return false;
    }
    if (!data_->is_blob(0)) {
      leave_out(row, "its data are not bytes");
      return false;
    }
    message.data = data_->bytes(0);
    // Rows of a damaged file can share their pages, and have more data together than the file.
    if (message.data.size() > bytes_left_) {
      warnings_.push_back(fmt::format(
          "{}: is damaged: its messages have more bytes than the file; reading ends at {} ns",
          database_.name(), row.time));
      bytes_left_ = 0;
      return false;
    }
    bytes_left_ -= message.data.size();
    const Topic& topic = topics_.topics[static_cast<std::size_t>(message.topic)];
    if (topic.encoding != "cdr" || !is_zstd(message.data)) return true;
    if (decompressor_.decompress(message.data, budget_, message.data)) return true;
    leave_out(row, kNotDecompressed);
    return false;
  }

  // Said once; at the end, how many there were.
  void leave_out(const SqliteRow& row, const std::string& why) {
    if (++left_out_ > 1) return;
    warnings_.push_back(fmt::format("{}: message {} at {} ns is left out: {}", database_.name(),
                                    row.row, row.time, why));
  }

  void finish() {
    finished_ = true;
    if (left_out_ > 1) {
      warnings_.push_back(
          fmt::format("{}: {} messages in all are left out", database_.name(), left_out_));
    }
    if (order_->unusable() > 0) {
      warnings_.push_back(fmt::format("{}: {} messages without a time or a topic are left out",
                                      database_.name(), order_->unusable()));
    }
  }

  SqliteDatabase database_;
  std::vector<std::string> warnings_;
  UnpackBudget budget_;
  SqliteTopics topics_;
  std::vector<bool> wanted_;
  std::int64_t first_ = INT64_MAX;
  std::int64_t last_ = INT64_MIN;
  std::uint64_t count_ = 0;
  std::uint64_t bytes_left_;
  std::uint64_t left_out_ = 0;
  bool finished_ = false;
  std::optional<SqliteOrder> order_;
  std::optional<SqliteStatement> data_;
  MessageDecompressor decompressor_;
};

}  // namespace

std::unique_ptr<RecordingReader> read_sqlite(SqliteDatabase database, const ReadOptions& options,
                                             std::vector<std::string> warnings,
                                             std::shared_ptr<UnpackPool> pool) {
  return std::make_unique<SqliteReader>(std::move(database), options, std::move(warnings),
                                        std::move(pool));
}

std::unique_ptr<RecordingReader> open_sqlite(const std::filesystem::path& path,
                                             const ReadOptions& options) {
  std::vector<std::string> warnings;
  SqliteDatabase database = SqliteDatabase::open_file(path, warnings);
  return read_sqlite(std::move(database), options, std::move(warnings));
}

}  // namespace ovf
