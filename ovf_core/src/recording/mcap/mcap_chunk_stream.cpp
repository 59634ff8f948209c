#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "recording/mcap/mcap_streams.hpp"

namespace ovf::mcap {
namespace {

struct Entry {
  std::uint64_t time = 0;
  // Of the record's content; a chunk is shorter than 4 GiB.
  std::uint32_t at = 0;
  std::uint32_t length = 0;
};

bool earlier(const Entry& a, const Entry& b) { return a.time < b.time; }

struct Contents {
  std::vector<Entry> entries = {};
  bool whole = true;             // only whole records
  std::uint64_t no_message = 0;  // records that are too short, or have an impossible time
  std::uint64_t no_channel = 0;
};

Contents find_messages(std::span<const std::byte> records, const TopicTable& topics,
                       const Selection& selection) {
  Contents contents;
  Cursor cursor(records);
  while (cursor.left() > 0) {
    const auto record = next_record(cursor);
    contents.whole = record.has_value();
    if (!record) break;
    if (record->op != Op::kMessage) continue;
    const auto message = parse_message(record->content);
    if (!message || message->log_time >= kTimeLimit) {
      ++contents.no_message;
    } else if (topics.topic_of(message->channel) < 0) {
      ++contents.no_channel;
    } else if (selection.has_channel(message->channel) && selection.has_time(message->log_time)) {
      contents.entries.push_back({message->log_time, static_cast<std::uint32_t>(record->at),
                                  static_cast<std::uint32_t>(record->content.size())});
    }
  }
  if (!std::is_sorted(contents.entries.begin(), contents.entries.end(), earlier)) {
    std::stable_sort(contents.entries.begin(), contents.entries.end(), earlier);
  }
  return contents;
}

void warn_of(const Contents& contents, const Chunk& chunk, Warnings& warnings) {
  const auto warn = [&](const std::string& text) {
    warnings.add(fmt::format("chunk at byte {}: {}", chunk.offset, text));
  };
  if (!contents.whole && !chunk.cut) warn("it has bytes that are no record; what follows is lost");
  if (contents.no_message > 0) {
    warn(fmt::format("{} messages are damaged and left out", contents.no_message));
  }
  if (contents.no_channel > 0) {
    warn(fmt::format("{} messages are of no known channel and left out", contents.no_channel));
  }
  if (contents.entries.empty()) return;
  if (contents.entries.front().time < chunk.start || contents.entries.back().time > chunk.end) {
    warn("it has messages outside of the times that the summary states: they come out of order");
  }
}

class ChunkStream final : public Stream {
 public:
  ChunkStream(const Chunk& chunk, std::vector<std::byte> records, std::vector<Entry> entries,
              const std::shared_ptr<UnpackPool>& pool)
      : start_(chunk.start),
        end_(chunk.end),
        offset_(chunk.offset),
        records_(std::move(records)),
        entries_(std::move(entries)),
        held_(pool, records_.capacity() + entries_.capacity() * sizeof(Entry)) {}

  bool at_end() const override { return next_ == entries_.size(); }
  // Within the times stated, by which the reader has planned how many chunks are open at once.
  std::uint64_t time() const override { return std::clamp(entries_[next_].time, start_, end_); }
  std::uint64_t offset() const override { return offset_; }
  bool read(Message& message) override {
    const Entry& entry = entries_[next_];
    message = *parse_message(std::span(records_).subspan(entry.at, entry.length));
    return true;
  }
  void advance() override { ++next_; }

 private:
  std::uint64_t start_;
  std::uint64_t end_;
  std::uint64_t offset_;
  std::vector<std::byte> records_;
  std::vector<Entry> entries_;
  HeldBytes held_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Stream> open_chunk_stream(ByteSource& source, const Chunk& chunk,
                                          const TopicTable& topics, const Selection& selection,
                                          UnpackBudget& budget, Warnings& warnings) {
  const std::uint64_t held = budget.pool()->held;
  std::vector<std::byte> records;
  std::string problem;
  if (held > 0 && chunk.size > kMostHeldBytes - std::min(held, kMostHeldBytes)) {
    problem = fmt::format(
        "with it, more than {} MiB of chunks that overlap in time would be in "
        "memory: it is left out",
        kMostHeldBytes >> 20U);
  } else {
    problem = load_chunk(source, chunk, budget, records);
  }
  if (!problem.empty()) {
    const RecordPlace place{Op::kChunk, chunk.offset, chunk.length};
    warnings.add(fmt::format("chunk at byte {}: {}; {}", chunk.offset, problem,
                             lost_messages(source, place)));
    return nullptr;
  }
  Contents contents = find_messages(records, topics, selection);
  warn_of(contents, chunk, warnings);
  return std::make_unique<ChunkStream>(chunk, std::move(records), std::move(contents.entries),
                                       budget.pool());
}

}  // namespace ovf::mcap
