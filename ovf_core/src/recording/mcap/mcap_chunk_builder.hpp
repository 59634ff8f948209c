#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ovf/recording/mcap_writer.hpp"
#include "recording/mcap/mcap_output.hpp"

namespace ovf::mcap {

/// Number and log times of messages; without messages the times are zero, as MCAP wants them.
struct TimeSpan {
  std::uint64_t messages = 0;
  std::uint64_t start = 0;
  std::uint64_t end = 0;

  void add(std::uint64_t time) {
    start = messages == 0 ? time : std::min(start, time);
    end = std::max(end, time);
    ++messages;
  }
};

/// Messages on their way into a chunk.
class ChunkBuilder {
 public:
  void add(const Message& message, std::uint32_t sequence);

  /// Of the messages, before they are packed.
  std::size_t size() const { return records_.size(); }

  /// The chunk and the message indexes behind it, to be written at `offset` of the file; its chunk
  /// index goes to the end of `chunk_indexes`. Empty again afterwards.
  RecordBytes build(Compression compression, std::uint64_t offset, RecordBytes& chunk_indexes);

 private:
  // Log time, and place among the records.
  using MessageIndex = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

  RecordBytes records_ = {};
  TimeSpan times_ = {};
  std::map<std::uint16_t, MessageIndex> message_indexes_ = {};
};

}  // namespace ovf::mcap
