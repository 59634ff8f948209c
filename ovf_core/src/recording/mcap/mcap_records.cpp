#include "recording/mcap/mcap_records.hpp"

#include <limits>

namespace ovf::mcap {

std::uint64_t Cursor::integer(std::size_t size) {
  const std::span<const std::byte> raw = bytes(size);
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < raw.size(); ++k) {
    value |= std::to_integer<std::uint64_t>(raw[k]) << (8U * k);
  }
  return value;
}

std::span<const std::byte> Cursor::bytes(std::uint64_t count) {
  if (!ok_ || count > left()) {
    ok_ = false;
    return {};
  }
  const auto found = bytes_.subspan(at_, count);
  at_ += count;
  return found;
}

std::string Cursor::text() {
  const std::span<const std::byte> raw = bytes(u32());
  return {reinterpret_cast<const char*>(raw.data()), raw.size()};
}

std::optional<Record> next_record(Cursor& cursor) {
  Record record;
  record.op = Op{cursor.u8()};
  const std::uint64_t length = cursor.u64();
  record.at = cursor.at();
  record.content = cursor.bytes(length);
  if (!cursor.ok() || record.op == Op{0}) return std::nullopt;
  return record;
}

std::optional<RecordPlace> find_record(ByteSource& source, std::uint64_t offset,
                                       std::uint64_t end) {
  std::array<std::byte, kHeadSize> head{};
  if (offset > end || end - offset < kHeadSize || !source.read(offset, head)) return std::nullopt;
  Cursor cursor(head);
  RecordPlace place;
  place.op = Op{cursor.u8()};
  place.offset = offset;
  place.length = cursor.u64();
  const bool fits = place.length <= std::numeric_limits<std::uint64_t>::max() - place.content();
  if (place.op == Op{0} || !fits) return std::nullopt;
  return place;
}

std::optional<Schema> parse_schema(std::span<const std::byte> content) {
  Cursor cursor(content);
  Schema schema;
  schema.id = cursor.u16();
  schema.name = cursor.text();
  schema.encoding = cursor.text();
  schema.data = cursor.text();
  if (!cursor.ok() || schema.id == 0) return std::nullopt;
  return schema;
}

std::optional<Channel> parse_channel(std::span<const std::byte> content) {
  Cursor cursor(content);
  Channel channel;
  channel.id = cursor.u16();
  channel.schema = cursor.u16();
  channel.topic = cursor.text();
  channel.encoding = cursor.text();
  Cursor metadata(cursor.bytes(cursor.u32()));
  while (metadata.ok() && metadata.left() > 0) {
    const std::string key = metadata.text();
    std::string value = metadata.text();
    if (key == "offered_qos_profiles") channel.qos = std::move(value);
  }
  if (!cursor.ok() || !metadata.ok()) return std::nullopt;
  return channel;
}

std::optional<Message> parse_message(std::span<const std::byte> content) {
  Cursor cursor(content);
  Message message;
  message.channel = cursor.u16();
  cursor.u32();  // sequence
  message.log_time = cursor.u64();
  message.publish_time = cursor.u64();
  message.data = cursor.bytes(cursor.left());
  if (!cursor.ok()) return std::nullopt;
  return message;
}

std::optional<ChunkHead> parse_chunk_head(std::span<const std::byte> content) {
  Cursor cursor(content);
  ChunkHead head;
  cursor.u64();  // the chunk index or the messages themselves say the times
  cursor.u64();
  head.size = cursor.u64();
  head.crc = cursor.u32();
  head.compression = cursor.text();
  head.packed = cursor.u64();
  head.data = cursor.at();
  if (!cursor.ok()) return std::nullopt;
  return head;
}

std::optional<ChunkIndex> parse_chunk_index(std::span<const std::byte> content) {
  Cursor cursor(content);
  ChunkIndex index;
  index.start = cursor.u64();
  index.end = cursor.u64();
  index.offset = cursor.u64();
  index.length = cursor.u64();
  Cursor offsets(cursor.bytes(cursor.u32()));
  while (offsets.ok() && offsets.left() > 0) {
    index.channels.push_back(offsets.u16());
    offsets.u64();
  }
  index.message_index_length = cursor.u64();
  cursor.text();  // compression and packed size: the chunk has them too
  cursor.u64();
  index.size = cursor.u64();
  if (!cursor.ok() || !offsets.ok()) return std::nullopt;
  return index;
}

std::optional<Statistics> parse_statistics(std::span<const std::byte> content) {
  Cursor cursor(content);
  Statistics statistics;
  statistics.messages = cursor.u64();
  cursor.u16();  // schemas
  statistics.channels = cursor.u32();
  cursor.u32();  // attachments
  cursor.u32();  // metadata
  statistics.chunks = cursor.u32();
  statistics.start = cursor.u64();
  statistics.end = cursor.u64();
  if (!cursor.ok()) return std::nullopt;
  return statistics;
}

}  // namespace ovf::mcap
