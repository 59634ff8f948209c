#include "recording/sqlite/sqlite_header.hpp"

#include <cstring>

namespace ovf {
namespace {

// Places in the header; numbers are big-endian.
constexpr std::size_t kPageSize = 16;
constexpr std::size_t kWriteVersion = 18;
constexpr std::size_t kReadVersion = 19;
constexpr std::size_t kPages = 28;
constexpr auto kNoLog = std::byte{1};

std::uint64_t number_at(std::span<const std::byte> bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (const std::byte byte : bytes.subspan(at, size)) {
    number = number << 8 | static_cast<std::uint64_t>(byte);
  }
  return number;
}

}  // namespace

SqliteHeader read_sqlite_header(std::span<const std::byte> bytes) {
  constexpr char kMagic[] = "SQLite format 3";
  if (bytes.size() < kSqliteHeader || std::memcmp(bytes.data(), kMagic, sizeof(kMagic)) != 0) {
    return {};
  }
  const std::uint64_t size = number_at(bytes, kPageSize, 2);
  return {.page_size = size == 1 ? 65536 : size, .pages = number_at(bytes, kPages, 4)};
}

bool is_truncated(const SqliteHeader& header, std::uint64_t size) {
  if (header.page_size == 0) return false;
  return size % header.page_size != 0 || size / header.page_size < header.pages;
}

void fit_sqlite_header(std::span<std::byte> bytes, std::uint32_t pages) {
  bytes[kWriteVersion] = bytes[kReadVersion] = kNoLog;
  for (std::size_t i = 0; i < 4; ++i) {
    bytes[kPages + i] = static_cast<std::byte>(pages >> (8 * (3 - i)));
  }
}

}  // namespace ovf
