#include "recording/mcap/mcap_chunk_builder.hpp"

#include "math/crc32.hpp"
#include "recording/mcap/mcap_compression.hpp"

namespace ovf::mcap {

void ChunkBuilder::add(const Message& message, std::uint32_t sequence) {
  message_indexes_[message.channel].emplace_back(message.log_time, records_.size());
  times_.add(message.log_time);
  records_.begin(Op::kMessage);
  records_.u16(message.channel);
  records_.u32(sequence);
  records_.u64(message.log_time);
  records_.u64(message.publish_time);
  records_.bytes(message.data);
  records_.end();
}

RecordBytes ChunkBuilder::build(Compression compression, std::uint64_t offset,
                                RecordBytes& chunk_indexes) {
  const std::vector<std::byte> packed = pack(compression, records_.view());
  RecordBytes out;
  out.begin(Op::kChunk);
  out.u64(times_.start);
  out.u64(times_.end);
  out.u64(records_.size());
  out.u32(crc32(records_.view()));
  out.text(compression_name(compression));
  out.u64(packed.size());
  out.bytes(packed);
  out.end();
  const std::size_t chunk_length = out.size();

  RecordBytes places;
  for (auto& [channel, index] : message_indexes_) {
    std::stable_sort(index.begin(), index.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    places.u16(channel);
    places.u64(offset + out.size());
    out.begin(Op::kMessageIndex);
    out.u16(channel);
    out.u32(static_cast<std::uint32_t>(index.size() * 2 * sizeof(std::uint64_t)));
    for (const auto& [time, place] : index) {
      out.u64(time);
      out.u64(place);
    }
    out.end();
  }

  chunk_indexes.begin(Op::kChunkIndex);
  chunk_indexes.u64(times_.start);
  chunk_indexes.u64(times_.end);
  chunk_indexes.u64(offset);
  chunk_indexes.u64(chunk_length);
  chunk_indexes.u32(static_cast<std::uint32_t>(places.size()));
  chunk_indexes.bytes(places.view());
  chunk_indexes.u64(out.size() - chunk_length);
  chunk_indexes.text(compression_name(compression));
  chunk_indexes.u64(packed.size());
  chunk_indexes.u64(records_.size());
  chunk_indexes.end();

  records_.clear();
  times_ = {};
  message_indexes_.clear();
  return out;
}

}  // namespace ovf::mcap
