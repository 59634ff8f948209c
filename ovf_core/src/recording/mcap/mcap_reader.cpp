#include "ovf/recording/mcap_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "recording/mcap/mcap_open.hpp"
#include "recording/mcap/mcap_streams.hpp"

namespace ovf {
namespace {

using mcap::Chunk;

// Unpacked bytes of chunks in memory at once, unless a single one has more.
constexpr std::uint64_t kMostOpenBytes = std::uint64_t{256} << 20;

// The most that chunks would take at once if each is open from its first to its last message.
// `chunks` is in the order of the first.
std::uint64_t most_open_bytes(const std::vector<Chunk>& chunks) {
  using Closing = std::pair<std::uint64_t, std::uint64_t>;  // time, bytes
  std::priority_queue<Closing, std::vector<Closing>, std::greater<>> open;
  std::uint64_t bytes = 0;
  std::uint64_t most = 0;
  for (const Chunk& chunk : chunks) {
    for (; !open.empty() && open.top().first < chunk.start; open.pop()) bytes -= open.top().second;
    open.emplace(chunk.end, chunk.size);
    bytes += chunk.size;
    if (open.size() > 1) most = std::max(most, bytes);
  }
  return most;
}

/// Merges what the chunks and the messages outside of them have. A chunk is in memory from its
/// first message to its last, so the memory is that of the chunks that overlap at one time.
class McapReader final : public RecordingReader {
 public:
  McapReader(std::unique_ptr<ByteSource> source, const ReadOptions& options,
             std::shared_ptr<UnpackPool> pool)
      : source_(std::move(source)),
        warnings_(source_->name()),
        budget_(source_->size(), std::move(pool)),
        index_(mcap::build_index(
            *source_, {source_->size(), budget_.pool(), &UnpackPool::index_spare}, warnings_)),
        selection_(options, index_.topics) {
    plan_chunks();
    push(mcap::open_loose_stream(*source_, index_.loose, index_.topics, selection_, warnings_));
  }

  const std::vector<Topic>& topics() const override { return index_.topics.topics(); }
  std::int64_t first_time() const override {
    return has_times() ? to_time(index_.extent.start) : INT64_MAX;
  }
  std::int64_t last_time() const override {
    return has_times() ? to_time(index_.extent.end) : INT64_MIN;
  }
  std::uint64_t message_count() const override { return index_.extent.messages; }
  const std::vector<std::string>& warnings() const override { return warnings_.list(); }

  bool next(RecordedMessage& message) override {
    for (;;) {
      if (current_) {
        current_->advance();
        push(std::move(current_));
      }
      open_due_chunks();
      if (open_.empty()) return false;
      std::pop_heap(open_.begin(), open_.end(), is_later);
      current_ = std::move(open_.back().stream);
      open_.pop_back();
      mcap::Message found;
      if (!current_->read(found)) continue;
      message.topic = index_.topics.topic_of(found.channel);
      message.log_time = to_time(found.log_time);
      const bool published = found.publish_time < mcap::kTimeLimit;
      message.publish_time = to_time(published ? found.publish_time : found.log_time);
      message.data = found.data;
      return true;
    }
  }

 private:
  /// What decides which message is next, and which chunk is due: time, then place in the file; or
  /// the place alone.
  using Rank = std::pair<std::uint64_t, std::uint64_t>;

  struct Open {
    Rank rank = {};
    std::unique_ptr<mcap::Stream> stream = {};
  };

  static bool is_later(const Open& a, const Open& b) { return a.rank > b.rank; }

  static std::int64_t to_time(std::uint64_t time) {
    return static_cast<std::int64_t>(std::min<std::uint64_t>(time, INT64_MAX));
  }

  bool has_times() const { return index_.extent.start <= index_.extent.end; }

  Rank rank(std::uint64_t time, std::uint64_t offset) const {
    return by_time_ ? Rank{time, offset} : Rank{offset, 0};
  }

  void plan_chunks() {
    std::erase_if(index_.chunks, [&](const Chunk& chunk) { return !selection_.has(chunk); });
    std::stable_sort(index_.chunks.begin(), index_.chunks.end(),
                     [](const Chunk& a, const Chunk& b) { return a.start < b.start; });
    const std::uint64_t most = most_open_bytes(index_.chunks);
    if (most <= kMostOpenBytes) return;
    by_time_ = false;
    warnings_.add(fmt::format(
        "chunks of {} MiB together overlap in time, and at most {} MiB are held in memory: "
        "messages come chunk by chunk and not in the order of their log times",
        most >> 20U, kMostOpenBytes >> 20U));
    std::sort(index_.chunks.begin(), index_.chunks.end(),
              [](const Chunk& a, const Chunk& b) { return a.offset < b.offset; });
  }

  void push(std::unique_ptr<mcap::Stream> stream) {
    if (!stream || stream->at_end()) return;
    const Rank stream_rank = rank(stream->time(), stream->offset());
    open_.push_back({stream_rank, std::move(stream)});
    std::push_heap(open_.begin(), open_.end(), is_later);
  }

  void open_due_chunks() {
    for (; next_chunk_ < index_.chunks.size(); ++next_chunk_) {
      const Chunk& chunk = index_.chunks[next_chunk_];
      if (!open_.empty() && rank(chunk.start, chunk.offset) > open_.front().rank) return;
      push(mcap::open_chunk_stream(*source_, chunk, index_.topics, selection_, budget_, warnings_));
    }
  }

  std::unique_ptr<ByteSource> source_;
  mcap::Warnings warnings_;
  UnpackBudget budget_;
  mcap::Index index_;
  mcap::Selection selection_;
  bool by_time_ = true;
  std::size_t next_chunk_ = 0;
  std::vector<Open> open_ = {};  // a heap, the earliest in front
  std::unique_ptr<mcap::Stream> current_ = {};
};

}  // namespace

std::unique_ptr<RecordingReader> read_mcap(std::unique_ptr<ByteSource> source,
                                           const ReadOptions& options,
                                           std::shared_ptr<UnpackPool> pool) {
  return std::make_unique<McapReader>(std::move(source), options, std::move(pool));
}

std::unique_ptr<RecordingReader> open_mcap(const std::filesystem::path& path,
                                           const ReadOptions& options) {
  return read_mcap(open_file_bytes(path), options);
}

}  // namespace ovf
