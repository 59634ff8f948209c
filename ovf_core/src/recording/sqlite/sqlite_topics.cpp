#include "recording/sqlite/sqlite_topics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ovf {
namespace {

using Step = SqliteStatement::Step;

constexpr int kMostRows = 1 << 16;
// Topics of one type share a definition in the file, but not here.
constexpr std::uint64_t kSharedText = 64ULL << 20;

bool has(const std::vector<std::string>& columns, std::string_view name) {
  return std::find(columns.begin(), columns.end(), name) != columns.end();
}

struct Definition {
  std::string encoding;
  std::string text;
};

class TopicTables {
 public:
  TopicTables(const SqliteDatabase& database, std::vector<std::string>& warnings)
      : database_(database), warnings_(warnings), text_left_(database.size() + kSharedText) {}

  SqliteTopics read() {
    read_topics();
    read_definitions();
    for (Topic& topic : result_.topics) {
      const auto found = definitions_.find(topic.type);
      if (found == definitions_.end() || !spend(found->second.text.size())) continue;
      topic.definition = found->second.text;
      topic.definition_encoding = found->second.encoding;
    }
    return std::move(result_);
  }

 private:
  // Rows of a damaged file can lie on top of each other, and be more than its size.
  bool spend(std::size_t size) {
    if (size > text_left_) return false;
    text_left_ -= size;
    return true;
  }

  // Whether the row's columns from `first` on are texts that there is room for.
  bool are_texts(const SqliteStatement& row, int first, int last) {
    for (int column = first; column <= last; ++column) {
      if (!row.is_text(column) || !spend(row.text(column).size())) return false;
    }
    return true;
  }

  void warn(const std::string& what) {
    warnings_.push_back(fmt::format("{}: {}", database_.name(), what));
  }

  template <typename Use>
  void read_rows(const char* table, SqliteStatement& rows, Use use) {
    for (int i = 0; i < kMostRows; ++i) {
      const Step step = rows.step();
      if (step == Step::kBroken) {
        warn(fmt::format("its table {} breaks off after {} rows ({})", table, i, rows.error()));
      }
      if (step != Step::kRow) return;
      use();
    }
    warn(fmt::format("its table {} has more than {} rows; the others are left out", table,
                     kMostRows));
  }

  void read_topics() {
    const auto columns = database_.columns("topics");
    for (const auto* name : {"id", "name", "type", "serialization_format"}) {
      if (has(columns, name)) continue;
      database_.fail(columns.empty() ? "has no table topics"
                                     : fmt::format("has no column {} in its table topics", name),
                     "Expected a .db3 file that rosbag2 has recorded.");
    }
    // Crystal and Dashing had no profiles.
    const bool has_qos = has(columns, "offered_qos_profiles");
    SqliteStatement rows = database_.prepare(
        fmt::format("SELECT id, name, type, serialization_format, {} FROM main.topics ORDER BY id",
                    has_qos ? "offered_qos_profiles" : "''"));
    read_rows("topics", rows, [&] { add_topic(rows); });
    if (unusable_ > 0) warn(fmt::format("{} rows of its table topics are unusable", unusable_));
  }

  void add_topic(const SqliteStatement& row) {
    if (!row.is_integer(0) || !are_texts(row, 1, 3)) {
      ++unusable_;
      return;
    }
    Topic topic{.name = std::string(row.text(1)),
                .type = std::string(row.text(2)),
                .encoding = std::string(row.text(3))};
    if (are_texts(row, 4, 4)) topic.qos = row.text(4);
    const auto index = static_cast<int>(result_.topics.size());
    if (!result_.index.emplace(row.integer(0), index).second) {
      ++unusable_;
      return;
    }
    result_.topics.push_back(std::move(topic));
  }

  // Since Iron. Without them a reader has to know the types.
  void read_definitions() {
    const auto columns = database_.columns("message_definitions");
    for (const auto* name : {"topic_type", "encoding", "encoded_message_definition"}) {
      if (!has(columns, name)) return;
    }
    SqliteStatement rows = database_.prepare(
        "SELECT topic_type, encoding, encoded_message_definition FROM main.message_definitions");
    read_rows("message_definitions", rows, [&] {
      if (!are_texts(rows, 0, 2)) return;
      definitions_.try_emplace(std::string(rows.text(0)),
                               Definition{std::string(rows.text(1)), std::string(rows.text(2))});
    });
  }

  const SqliteDatabase& database_;
  std::vector<std::string>& warnings_;
  std::uint64_t text_left_;
  std::uint64_t unusable_ = 0;
  std::unordered_map<std::string, Definition> definitions_;
  SqliteTopics result_;
};

}  // namespace

SqliteTopics read_sqlite_topics(const SqliteDatabase& database,
                                std::vector<std::string>& warnings) {
  return TopicTables(database, warnings).read();
}

}  // namespace ovf
