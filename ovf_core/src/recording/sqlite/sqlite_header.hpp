#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ovf {

constexpr std::size_t kSqliteHeader = 100;

/// What the first bytes of an SQLite file say of its size.
struct SqliteHeader {
  std::uint64_t page_size = 0;  ///< 0: not the header of such a file
  std::uint64_t pages = 0;
};

SqliteHeader read_sqlite_header(std::span<const std::byte> bytes);

/// Whether a file of this size lacks bytes at its end.
bool is_truncated(const SqliteHeader& header, std::uint64_t size);

/// Makes the header fit a file of so many whole pages that has no write-ahead log.
void fit_sqlite_header(std::span<std::byte> bytes, std::uint32_t pages);

}  // namespace ovf
