#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "recording/mcap/mcap_streams.hpp"

namespace ovf::mcap {
namespace {

class LooseStream final : public Stream {
 public:
  LooseStream(ByteSource& source, const LooseMessages& loose, const TopicTable& topics,
              const Selection& selection, Warnings& warnings)
      : source_(source),
        loose_(loose),
        topics_(topics),
        selection_(selection),
        warnings_(warnings),
        offset_(loose.ranges.front().begin) {
    find();
  }

  bool at_end() const override { return range_ == loose_.ranges.size(); }
  std::uint64_t time() const override { return time_; }
  std::uint64_t offset() const override { return offset_; }

  bool read(Message& message) override {
    data_.resize(place_.length);
    if (!source_.read(place_.content(), data_)) {
      warnings_.add(fmt::format("message at byte {}: it cannot be read", place_.offset));
      return false;
    }
    const auto parsed = parse_message(data_);
    if (!parsed) return false;
    message = *parsed;
    return true;
  }

  void advance() override {
    offset_ = place_.end();
    find();
  }

 private:
  // The next message that is asked for, from offset_ on.
  void find() {
    for (; !at_end(); go_to_next_range()) {
      while (offset_ < loose_.ranges[range_].end) {
        const auto place = find_record(source_, offset_, loose_.ranges[range_].end);
        if (!place || place->end() > loose_.ranges[range_].end)
          break;  // changed since it was found
        place_ = *place;
        if (place_.op == Op::kMessage && is_wanted()) return;
        if (past_the_end_) {
          range_ = loose_.ranges.size();
          return;
        }
        offset_ = place_.end();
      }
    }
  }

  void go_to_next_range() {
    ++range_;
    if (!at_end()) offset_ = loose_.ranges[range_].begin;
  }

  bool is_wanted() {
    std::array<std::byte, kMessageHeadSize> head{};
    const bool fits = place_.length >= head.size() && place_.length <= kLongestRecord;
    const auto message =
        fits && source_.read(place_.content(), head) ? parse_message(head) : std::nullopt;
    if (!message || message->log_time >= kTimeLimit) {
      warnings_.add(fmt::format("message at byte {}: it is damaged and left out", place_.offset));
      return false;
    }
    if (topics_.topic_of(message->channel) < 0) {
      warnings_.add(fmt::format("message at byte {}: its channel {} is not known: it is left out",
                                place_.offset, message->channel));
      return false;
    }
    past_the_end_ = loose_.sorted && message->log_time >= selection_.end();
    time_ = std::max(time_, message->log_time);
    return selection_.has_channel(message->channel) && selection_.has_time(message->log_time);
  }

  ByteSource& source_;
  const LooseMessages& loose_;
  const TopicTable& topics_;
  const Selection& selection_;
  Warnings& warnings_;
  std::size_t range_ = 0;
  std::uint64_t offset_;
  RecordPlace place_ = {};
  std::uint64_t time_ = 0;
  bool past_the_end_ = false;
  std::vector<std::byte> data_ = {};
};

}  // namespace

std::unique_ptr<Stream> open_loose_stream(ByteSource& source, const LooseMessages& loose,
                                          const TopicTable& topics, const Selection& selection,
                                          Warnings& warnings) {
  if (loose.ranges.empty()) return nullptr;
  return std::make_unique<LooseStream>(source, loose, topics, selection, warnings);
}

}  // namespace ovf::mcap
