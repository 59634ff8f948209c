#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "recording/sqlite/mapped_file.hpp"
#include "recording/sqlite/sqlite_statement.hpp"

namespace ovf {

/// A database that is not trusted, for reading only: no triggers, views, virtual tables or
/// functions of its own run, and each step has a limit.
class SqliteDatabase {
 public:
  /// What could be got over goes to `warnings`. Throws RecordingError.
  static SqliteDatabase open_file(const std::filesystem::path& path,
                                  std::vector<std::string>& warnings);
  /// The same for the contents of a file.
  static SqliteDatabase open_bytes(std::span<const std::byte> bytes, const std::string& name,
                                   std::vector<std::string>& warnings);

  const std::string& name() const { return name_; }
  /// Size of the files, and so a limit for everything that is in them.
  std::uint64_t size() const { return size_; }
  /// Names of the columns in lower case; empty: no such table.
  std::vector<std::string> columns(const std::string& table) const;
  /// Throws RecordingError.
  SqliteStatement prepare(const std::string& query) const;
  [[noreturn]] void fail(const std::string& what, const std::string& advice) const;

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };

  SqliteDatabase(std::string name, std::uint64_t size);
  void connect(const std::string& uri);
  void harden() const;
  int read_first_page() const;
  void check(int status) const;
  void attach(std::span<std::byte> bytes, std::vector<std::string>& warnings);

  std::string name_;
  std::uint64_t size_;
  std::unique_ptr<MappedFile> mapped_;
  std::vector<std::byte> bytes_;
  std::unique_ptr<SqliteBudget> budget_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace ovf
