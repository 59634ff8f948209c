#include "recording/sqlite/sqlite_statement.hpp"

#include "ovf/config/printable.hpp"

namespace ovf {

SqliteStatement::Step SqliteStatement::step() {
  budget_->left = budget_->granted;
  switch (sqlite3_step(statement_.get())) {
    case SQLITE_ROW:
      return Step::kRow;
    case SQLITE_DONE:
      return Step::kDone;
    default:
      return Step::kBroken;
  }
}

void SqliteStatement::restart(std::int64_t first_parameter) {
  sqlite3_reset(statement_.get());
  bind(1, first_parameter);
}

void SqliteStatement::bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), parameter, value);
}

std::span<const std::byte> SqliteStatement::bytes(int column) const {
  const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (data == nullptr || size <= 0) return {};
  return {data, static_cast<std::size_t>(size)};
}

std::string_view SqliteStatement::text(int column) const {
  const auto* data = sqlite3_column_text(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (data == nullptr || size <= 0) return {};
  return {reinterpret_cast<const char*>(data), static_cast<std::size_t>(size)};
}

std::string SqliteStatement::error() const {
  sqlite3* database = sqlite3_db_handle(statement_.get());
  if (sqlite3_errcode(database) == SQLITE_INTERRUPT) return "its pages lead round in circles";
  return printable(sqlite3_errmsg(database));
}

}  // namespace ovf
