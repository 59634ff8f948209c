#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "math/crc32.hpp"
#include "recording/mcap/mcap_index.hpp"

namespace ovf::mcap {
namespace {

class Scan {
 public:
  Scan(ByteSource& source, UnpackBudget& budget, Index& index, Warnings& warnings)
      : source_(source), budget_(budget), index_(index), warnings_(warnings) {}

  void run(Range range);

 private:
  void meet(const RecordPlace& place);
  void meet_topic(Op op, std::span<const std::byte> content);
  void meet_loose(const RecordPlace& place);
  void meet_chunk(const RecordPlace& place);
  void meet_message(const Message& message, Chunk& chunk, Extent& extent);
  void meet_end(const RecordPlace& place);
  std::span<const std::byte> read(const RecordPlace& place, std::uint64_t longest);

  ByteSource& source_;
  UnpackBudget& budget_;
  Index& index_;
  Warnings& warnings_;
  std::vector<std::byte> buffer_ = {};
  std::vector<bool> seen_ = {};  // channels, in a chunk
  bool in_loose_ = false;        // the last message lay outside of a chunk
};

void Scan::run(Range range) {
  for (std::uint64_t at = range.begin; at < range.end;) {
    const auto place = find_record(source_, at, range.end);
    const bool whole = place && place->end() <= range.end;
    if (whole && (place->op == Op::kDataEnd || place->op == Op::kFooter)) {
      return meet_end(*place);
    }
    if (!whole) {
      // A chunk that the end of the file cuts off still has messages in it.
      if (place && place->op == Op::kChunk && range.end == source_.size()) {
        return meet_chunk(*place);
      }
      return warnings_.add(fmt::format(
          "there is no whole record at byte {}: nothing is read from there up to byte {}", at,
          range.end));
    }
    meet(*place);
    at = place->end();
  }
}

void Scan::meet(const RecordPlace& place) {
  switch (place.op) {
    case Op::kSchema:
    case Op::kChannel:
      meet_topic(place.op, read(place, kMostTopicText));
      break;
    case Op::kMessage:
      meet_loose(place);
      break;
    case Op::kChunk:
      meet_chunk(place);
      break;
    default:
      break;  // attachments, indexes, what later versions add
  }
}

std::span<const std::byte> Scan::read(const RecordPlace& place, std::uint64_t longest) {
  buffer_.resize(std::min(place.length, longest));
  if (!source_.read(place.content(), buffer_)) buffer_.clear();
  return buffer_;
}

void Scan::meet_topic(Op op, std::span<const std::byte> content) {
  if (op == Op::kSchema) {
    if (auto schema = parse_schema(content)) {
      return index_.topics.add(std::move(*schema), warnings_);
    }
    return warnings_.add("it has a schema that is damaged, which is left out");
  }
  if (auto channel = parse_channel(content)) {
    return index_.topics.add(std::move(*channel), warnings_);
  }
  warnings_.add("it has a channel that is damaged, which is left out");
}

void Scan::meet_loose(const RecordPlace& place) {
  LooseMessages& loose = index_.loose;
  if (in_loose_) {
    loose.ranges.back().end = place.end();
  } else {
    loose.ranges.push_back({place.offset, place.end()});
    in_loose_ = true;
  }
  const auto message = parse_message(read(place, kMessageHeadSize));
  if (!message || message->log_time >= kTimeLimit) return;  // whoever reads it complains
  if (loose.extent.messages > 0 && message->log_time < loose.extent.end) loose.sorted = false;
  loose.extent.add(message->log_time);
  index_.extent.add(message->log_time);
}

void Scan::meet_message(const Message& message, Chunk& chunk, Extent& extent) {
  if (message.log_time >= kTimeLimit) return;
  extent.add(message.log_time);
  if (message.channel >= seen_.size()) seen_.resize(std::size_t{message.channel} + 1);
  if (!seen_[message.channel]) chunk.channels.push_back(message.channel);
  seen_[message.channel] = true;
}

void Scan::meet_chunk(const RecordPlace& place) {
  in_loose_ = false;
  Chunk chunk;
  const std::string problem = load_chunk(source_, place, budget_, chunk.cut, buffer_);
  if (!problem.empty() && !chunk.cut) {
    return warnings_.add(fmt::format("chunk at byte {}: {}; {}", place.offset, problem,
                                     lost_messages(source_, place)));
  }
  Extent extent;
  Cursor cursor(buffer_);
  while (cursor.left() > 0) {
    const auto record = next_record(cursor);
    if (!record) break;  // whoever reads it complains
    if (record->op == Op::kSchema || record->op == Op::kChannel) {
      meet_topic(record->op, record->content);
    } else if (record->op == Op::kMessage) {
      if (const auto message = parse_message(record->content)) {
        meet_message(*message, chunk, extent);
      }
    }
  }
  for (const std::uint16_t channel : chunk.channels) seen_[channel] = false;
  if (place.end() > source_.size()) {
    warnings_.add(
        fmt::format("it breaks off in the chunk at byte {}: {} messages of it are there, which no "
                    "checksum vouches for",
                    place.offset, extent.messages));
  }
  if (extent.messages == 0) return;
  chunk.offset = place.offset;
  chunk.length = place.length;
  chunk.size = buffer_.size();
  chunk.start = extent.start;
  chunk.end = extent.end;
  index_.extent.add(extent);
  index_.chunks.push_back(std::move(chunk));
}

// Chunks have checksums of their own; for messages outside of them there is but one.
void Scan::meet_end(const RecordPlace& place) {
  if (place.op != Op::kDataEnd || index_.loose.extent.messages == 0) return;
  std::array<std::byte, sizeof(std::uint32_t)> stored{};
  if (place.length < stored.size() || !source_.read(place.content(), stored)) return;
  const std::uint32_t expected = Cursor(stored).u32();
  if (expected == 0) return;
  constexpr std::uint64_t kBlock = 1U << 20;
  std::uint32_t crc = 0;
  for (std::uint64_t at = 0; at < place.offset; at += buffer_.size()) {
    buffer_.resize(std::min(kBlock, place.offset - at));
    if (!source_.read(at, buffer_)) return;
    crc = crc32(buffer_, crc);
  }
  if (crc != expected) {
    warnings_.add(
        "its bytes do not agree with their checksum: messages outside of chunks may be damaged");
  }
}

}  // namespace

void scan_records(ByteSource& source, Range range, UnpackBudget& budget, Index& index,
                  Warnings& warnings) {
  Scan(source, budget, index, warnings).run(range);
}

}  // namespace ovf::mcap
