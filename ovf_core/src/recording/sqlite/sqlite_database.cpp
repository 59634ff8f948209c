#include "recording/sqlite/sqlite_database.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <limits>
#include <system_error>
#include <utility>

#include "ovf/config/printable.hpp"
#include "ovf/recording/recording.hpp"
#include "recording/sqlite/sqlite_header.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRepair =
    "Recover what is left with `sqlite3 FILE .recover | sqlite3 NEW_FILE`, or record again.";

std::uint64_t size_or_zero(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return error ? 0 : size;
}

// SQLite reads '?', '#' and '%' in it.
std::string uri_of(const fs::path& path, bool immutable) {
  std::string uri = "file:";
  for (const char c : fs::absolute(path).string()) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '.' || c == '_';
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return immutable ? uri + "?immutable=1" : uri;
}

// A transaction that was cut off leaves a journal that begins with these bytes.
bool has_hot_journal(const fs::path& path) {
  constexpr std::array<unsigned char, 4> kMagic{0xd9, 0xd5, 0x05, 0xf9};
  std::array<char, 4> found{};
  const fs::path journal = path.string() + "-journal";
  if (size_or_zero(journal) < found.size()) return false;
  std::ifstream(journal, std::ios::binary).read(found.data(), found.size());
  return std::equal(kMagic.begin(), kMagic.end(), found.begin(),
                    [](unsigned char a, char b) { return a == static_cast<unsigned char>(b); });
}

SqliteHeader header_of(const fs::path& path) {
  std::array<std::byte, kSqliteHeader> bytes{};
  std::ifstream(path, std::ios::binary)
      .read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return read_sqlite_header(bytes);
}

constexpr int kInstructionsPerCall = 1000;

int spend(void* budget) {
  auto& left = static_cast<SqliteBudget*>(budget)->left;
  left -= kInstructionsPerCall;
  return left < 0 ? 1 : 0;
}

}  // namespace

SqliteDatabase::SqliteDatabase(std::string name, std::uint64_t size)
    : name_(std::move(name)), size_(size), budget_(std::make_unique<SqliteBudget>()) {
  constexpr std::int64_t kLeast = 1'000'000;
  constexpr std::int64_t kPerByte = 8;
  budget_->granted =
      kLeast + kPerByte * static_cast<std::int64_t>(std::min<std::uint64_t>(size, 1ULL << 56));
  budget_->left = budget_->granted;
}

void SqliteDatabase::fail(const std::string& what, const std::string& advice) const {
  throw RecordingError(fmt::format("{}: {}. {}", name_, what, advice));
}

void SqliteDatabase::connect(const std::string& uri) {
  constexpr int kFlags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  sqlite3* opened = nullptr;
  const int status = sqlite3_open_v2(uri.c_str(), &opened, kFlags, nullptr);
  database_.reset(opened);
  if (status != SQLITE_OK) {
    fail(fmt::format("cannot be opened ({})", sqlite3_errstr(status)),
         "Check the path and its permissions.");
  }
  harden();
}

void SqliteDatabase::harden() const {
  sqlite3* database = database_.get();
  for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                      {SQLITE_DBCONFIG_ENABLE_VIEW, 0}}) {
    sqlite3_db_config(database, option, value, nullptr);
  }
  for (const auto& [limit, value] : {std::pair{SQLITE_LIMIT_LENGTH, 1 << 30},
                                     {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
                                     {SQLITE_LIMIT_COLUMN, 100},
                                     {SQLITE_LIMIT_EXPR_DEPTH, 50},
                                     {SQLITE_LIMIT_ATTACHED, 0},
                                     {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                     {SQLITE_LIMIT_WORKER_THREADS, 0}}) {
    sqlite3_limit(database, limit, value);
  }
  sqlite3_drop_modules(database, nullptr);
  sqlite3_busy_timeout(database, 2000);
  sqlite3_progress_handler(database, kInstructionsPerCall, spend, budget_.get());
  sqlite3_exec(database, "PRAGMA cell_size_check = ON", nullptr, nullptr, nullptr);
}

// SQLite opens a file at the first query, not before.
int SqliteDatabase::read_first_page() const {
  budget_->left = budget_->granted;
  return sqlite3_exec(database_.get(), "PRAGMA schema_version", nullptr, nullptr, nullptr);
}

void SqliteDatabase::check(int status) const {
  if (status == SQLITE_OK) return;
  if (status == SQLITE_NOTADB) {
    fail("is not an SQLite database", "Give a rosbag2 folder, or a .db3 or .mcap file.");
  }
  fail(fmt::format("cannot be read ({})", printable(sqlite3_errmsg(database_.get()))), kRepair);
}

// SQLite refuses a file with fewer pages than its header says, and takes zeros for the missing
// bytes of the last page. So it gets the whole pages only, and a header that agrees with them.
void SqliteDatabase::attach(std::span<std::byte> bytes, std::vector<std::string>& warnings) {
  const SqliteHeader header = read_sqlite_header(bytes);
  if (header.page_size > 0) {
    const auto pages = bytes.size() / header.page_size;
    if (pages == 0) fail("breaks off in its first page", "Record again.");
    if (is_truncated(header, bytes.size())) {
      warnings.push_back(
          fmt::format("{}: breaks off after {} bytes; what is left is read", name_, bytes.size()));
    }
    bytes = bytes.first(pages * header.page_size);
    fit_sqlite_header(bytes, static_cast<std::uint32_t>(std::min<std::uint64_t>(
                                 pages, std::numeric_limits<std::uint32_t>::max())));
  }
  connect("file::memory:");
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  check(sqlite3_deserialize(database_.get(), "main", reinterpret_cast<unsigned char*>(bytes.data()),
                            size, size, SQLITE_DESERIALIZE_READONLY));
  check(read_first_page());
}

SqliteDatabase SqliteDatabase::open_file(const fs::path& path, std::vector<std::string>& warnings) {
  std::error_code error;
  // A named pipe would wait for its other end.
  if (!fs::is_regular_file(path, error)) {
    throw RecordingError(
        fmt::format("{}: is not a file, or cannot be reached. Check the path.", path.string()));
  }
  // A recorder that still runs, or was killed, has messages in the write-ahead log.
  const std::uint64_t log_size = size_or_zero(path.string() + "-wal");
  SqliteDatabase database(path.string(), size_or_zero(path) + log_size);
  if (has_hot_journal(path)) {
    warnings.push_back(
        fmt::format("{}: the recorder was interrupted (there is a -journal file); its last "
                    "messages may be damaged",
                    database.name_));
  }
  if (log_size > 0) {
    database.connect(uri_of(path, false));
    const int status = database.read_first_page();
    if (status == SQLITE_OK) return database;
    warnings.push_back(fmt::format("{}: the messages in its -wal file are left out ({})",
                                   database.name_, sqlite3_errstr(status)));
  }
  if (is_truncated(header_of(path), size_or_zero(path))) {
    database.mapped_ = std::make_unique<MappedFile>(path);
    database.attach(database.mapped_->bytes(), warnings);
    return database;
  }
  // Immutable: no locks and no files beside it, so that a folder without write permission will do.
  database.connect(uri_of(path, true));
  database.check(database.read_first_page());
  return database;
}

SqliteDatabase SqliteDatabase::open_bytes(std::span<const std::byte> bytes, const std::string& name,
                                          std::vector<std::string>& warnings) {
  SqliteDatabase database(name, bytes.size());
  database.bytes_.assign(bytes.begin(), bytes.end());
  database.attach(database.bytes_, warnings);
  return database;
}

SqliteStatement SqliteDatabase::prepare(const std::string& query) const {
  budget_->left = budget_->granted;
  sqlite3_stmt* prepared = nullptr;
  const int status = sqlite3_prepare_v2(database_.get(), query.c_str(), -1, &prepared, nullptr);
  SqliteStatement statement(prepared, *budget_);
  if (status != SQLITE_OK) {
    fail(fmt::format("cannot be read ({})", printable(sqlite3_errmsg(database_.get()))), kRepair);
  }
  return statement;
}

std::vector<std::string> SqliteDatabase::columns(const std::string& table) const {
  std::vector<std::string> names;
  // Without generated columns, which would run expressions of the file.
  SqliteStatement info = prepare(fmt::format("PRAGMA main.table_info({})", table));
  while (info.step() == SqliteStatement::Step::kRow) {
    std::string name(info.text(1));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace ovf
