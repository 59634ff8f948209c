#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace ovf {

/// How much work of SQLite's machine one call may cause. A damaged tree of pages can lead round in
/// circles; an honest file needs a few instructions per byte.
struct SqliteBudget {
  std::int64_t granted = 0;
  std::int64_t left = 0;
};

/// A query under way.
class SqliteStatement {
 public:
  enum class Step { kRow, kDone, kBroken };

  SqliteStatement(sqlite3_stmt* statement, SqliteBudget& budget)
      : statement_(statement), budget_(&budget) {}

  Step step();
  /// To its beginning, with another first parameter.
  void restart(std::int64_t first_parameter);
  void bind(int parameter, std::int64_t value);

  bool is_integer(int column) const { return type(column) == SQLITE_INTEGER; }
  bool is_text(int column) const { return type(column) == SQLITE_TEXT; }
  bool is_blob(int column) const { return type(column) == SQLITE_BLOB; }
  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  /// Valid until the next step or restart.
  std::span<const std::byte> bytes(int column) const;
  std::string_view text(int column) const;
  /// Of the last step.
  std::string error() const;

 private:
  struct Finalise {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  int type(int column) const { return sqlite3_column_type(statement_.get(), column); }

  std::unique_ptr<sqlite3_stmt, Finalise> statement_;
  SqliteBudget* budget_;
};

}  // namespace ovf
