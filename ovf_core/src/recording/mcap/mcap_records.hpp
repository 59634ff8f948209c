#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "recording/mcap/mcap_bytes.hpp"

namespace ovf::mcap {

/// What the records of an MCAP file are, version 0 (https://mcap.dev/spec): a byte that says which
/// one, eight for the length of its content, and the content.
enum class Op : std::uint8_t {
  kHeader = 0x01,
  kFooter = 0x02,
  kSchema = 0x03,
  kChannel = 0x04,
  kMessage = 0x05,
  kChunk = 0x06,
  kMessageIndex = 0x07,
  kChunkIndex = 0x08,
  kStatistics = 0x0b,
  kSummaryOffset = 0x0e,
  kDataEnd = 0x0f,
};

inline constexpr std::array<std::uint8_t, 8> kMagic{0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};
inline constexpr std::uint64_t kHeadSize = 9;
inline constexpr std::uint64_t kMessageHeadSize = 22;
inline constexpr std::uint64_t kFooterSize = 20;

/// Longer messages, chunks (packed or not) and summaries are not read.
inline constexpr std::uint64_t kLongestRecord = std::uint64_t{1} << 30;
/// Log times from here on are no times: they do not fit the nanoseconds of RecordedMessage.
inline constexpr std::uint64_t kTimeLimit = std::uint64_t{1} << 63;
/// Names and definitions of all topics together.
inline constexpr std::uint64_t kMostTopicText = std::uint64_t{1} << 26;

/// Values from bytes that are not trusted. After the first one that is missing, all are zero or
/// empty.
class Cursor {
 public:
  explicit Cursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  std::size_t at() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }

  std::uint8_t u8() { return static_cast<std::uint8_t>(integer(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(integer(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(integer(4)); }
  std::uint64_t u64() { return integer(8); }
  std::span<const std::byte> bytes(std::uint64_t count);
  /// With its length before it.
  std::string text();

 private:
  std::uint64_t integer(std::size_t size);

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

struct Record {
  Op op = {};
  std::size_t at = 0;  ///< of the content, among the cursor's bytes
  std::span<const std::byte> content = {};
};

/// None if the bytes that are left are no whole record.
std::optional<Record> next_record(Cursor& cursor);

/// Where a record of a file lies.
struct RecordPlace {
  Op op = {};
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  ///< of the content

  std::uint64_t content() const { return offset + kHeadSize; }
  std::uint64_t end() const { return content() + length; }
};

/// The record at `offset`, which may reach beyond `end` (RecordPlace::end() does not overflow);
/// none if there is no head of a record.
std::optional<RecordPlace> find_record(ByteSource& source, std::uint64_t offset, std::uint64_t end);

struct Schema {
  std::uint16_t id = 0;
  std::string name = {};
  std::string encoding = {};
  std::string data = {};

  bool operator==(const Schema&) const = default;
};

struct Channel {
  std::uint16_t id = 0;
  std::uint16_t schema = 0;
  std::string topic = {};
  std::string encoding = {};
  std::string qos = {};

  bool operator==(const Channel&) const = default;
};

struct Message {
  std::uint16_t channel = 0;
  std::uint64_t log_time = 0;
  std::uint64_t publish_time = 0;
  std::span<const std::byte> data = {};
};

struct ChunkHead {
  std::uint64_t size = 0;  ///< unpacked
  std::uint32_t crc = 0;
  std::string compression = {};
  std::uint64_t packed = 0;
  std::uint64_t data = 0;  ///< where the packed bytes begin in the content
};

struct ChunkIndex {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::vector<std::uint16_t> channels = {};
  std::uint64_t message_index_length = 0;
  std::uint64_t size = 0;
};

struct Statistics {
  std::uint64_t messages = 0;
  std::uint32_t channels = 0;
  std::uint32_t chunks = 0;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

std::optional<Schema> parse_schema(std::span<const std::byte> content);
std::optional<Channel> parse_channel(std::span<const std::byte> content);
std::optional<Message> parse_message(std::span<const std::byte> content);
std::optional<ChunkHead> parse_chunk_head(std::span<const std::byte> content);
std::optional<ChunkIndex> parse_chunk_index(std::span<const std::byte> content);
std::optional<Statistics> parse_statistics(std::span<const std::byte> content);

}  // namespace ovf::mcap
