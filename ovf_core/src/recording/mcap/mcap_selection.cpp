#include <algorithm>

#include "recording/mcap/mcap_streams.hpp"

namespace ovf::mcap {
namespace {

std::uint64_t not_negative(std::int64_t time) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(time, 0));
}

}  // namespace

Selection::Selection(const ReadOptions& options, const TopicTable& topics)
    : start_(not_negative(options.start)),
      end_(options.end == INT64_MAX ? kTimeLimit : not_negative(options.end)) {
  const auto& names = options.topics;
  for (const auto& [id, channel] : topics.channels()) {
    channels_.resize(std::size_t{id} + 1);
    channels_[id] =
        names.empty() || std::find(names.begin(), names.end(), channel.topic) != names.end();
  }
}

bool Selection::has(const Chunk& chunk) const {
  if (chunk.end < start_ || chunk.start >= end_) return false;
  return chunk.channels.empty() || std::any_of(chunk.channels.begin(), chunk.channels.end(),
                                               [&](std::uint16_t id) { return has_channel(id); });
}

}  // namespace ovf::mcap
