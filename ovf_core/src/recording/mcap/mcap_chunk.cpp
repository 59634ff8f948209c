#include "recording/mcap/mcap_chunk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "math/crc32.hpp"
#include "recording/mcap/mcap_compression.hpp"

namespace ovf::mcap {
namespace {

// Times, sizes, checksum, and room for the compression's name.
constexpr std::uint64_t kLongestHead = 40 + 32;

// Why a chunk is not unpacked; empty: it is, and what it takes is spent.
std::string spend(const ChunkHead& head, std::uint64_t packed, UnpackBudget& budget) {
  if (head.compression.empty()) return {};
  const std::uint64_t largest = budget.largest_piece(packed);
  if (head.size > largest) {
    return fmt::format("{} bytes would unpack to {}, and a chunk of them to at most {}. {}", packed,
                       head.size, largest, kUnpackAdvice);
  }
  if (head.size > budget.left()) {
    return fmt::format(
        "it would unpack to {} bytes, and the file has unpacked to as many as its size warrants "
        "({} for each byte, and {} MiB): it is left out. {}",
        head.size, kUnpackedPerByte, kSpareOfFile >> 20U, kUnpackAdvice);
  }
  budget.spend(head.size);
  return {};
}

std::string load(ByteSource& source, const RecordPlace& place, std::uint64_t largest,
                 UnpackBudget& budget, bool& cut, std::vector<std::byte>& records) {
  records.clear();
  cut = false;
  if (place.content() > source.size()) return "it lies beyond the end of the file";
  const std::uint64_t there = std::min(place.length, source.size() - place.content());
  std::array<std::byte, kLongestHead> buffer{};
  const auto head_bytes = std::span(buffer).first(std::min(there, kLongestHead));
  if (!source.read(place.content(), head_bytes)) return "it cannot be read";
  const auto head = parse_chunk_head(head_bytes);
  if (!head) return "its head is damaged";
  if (head->size > largest || head->packed > kLongestRecord) {
    return fmt::format("it has {} bytes, packed {}: more than the {} and {} expected at most",
                       head->size, head->packed, largest, kLongestRecord);
  }
  const std::uint64_t packed = std::min(head->packed, there - head->data);
  if (packed < head->packed && there == place.length) return "it is shorter than its head states";
  if (std::string refusal = spend(*head, packed, budget); !refusal.empty()) return refusal;
  records.resize(packed);
  if (!source.read(place.content() + head->data, records)) return "it cannot be read";
  cut = packed < head->packed;
  std::string problem = unpack(head->compression, head->size, records);
  if (problem.empty() && head->crc != 0 && crc32(records) != head->crc) {
    problem = "its bytes do not agree with their checksum";
  }
  return problem;
}

// By the message indexes behind the chunk.
std::uint64_t indexed_messages(ByteSource& source, const RecordPlace& place) {
  constexpr std::uint64_t kEntry = 16;  // time and offset
  constexpr std::uint64_t kHead = 6;    // channel and length of the list
  constexpr int kMostChannels = 1 << 16;
  std::uint64_t count = 0;
  std::uint64_t at = place.end();
  for (int k = 0; k < kMostChannels; ++k) {
    const auto index = find_record(source, at, source.size());
    if (!index || index->op != Op::kMessageIndex || index->end() > source.size()) break;
    count += (std::max(index->length, kHead) - kHead) / kEntry;
    at = index->end();
  }
  return count;
}

}  // namespace

std::string load_chunk(ByteSource& source, const RecordPlace& place, UnpackBudget& budget,
                       bool& cut, std::vector<std::byte>& records) {
  return load(source, place, kLongestRecord, budget, cut, records);
}

std::string load_chunk(ByteSource& source, const Chunk& chunk, UnpackBudget& budget,
                       std::vector<std::byte>& records) {
  records.clear();
  const auto place = find_record(source, chunk.offset, source.size());
  if (!place || place->op != Op::kChunk || place->length != chunk.length) {
    return "it is not where the summary states it to be";
  }
  bool cut = false;
  // The size decides how many chunks are open at once.
  const std::uint64_t largest = chunk.cut ? kLongestRecord : chunk.size;
  std::string problem = load(source, *place, largest, budget, cut, records);
  if (chunk.cut && cut && records.size() == chunk.size) return {};
  if (problem.empty() && records.size() != chunk.size) {
    problem = fmt::format("it has {} bytes, not the {} that the summary states", records.size(),
                          chunk.size);
  }
  return problem;
}

std::string lost_messages(ByteSource& source, const RecordPlace& place) {
  const std::uint64_t count = indexed_messages(source, place);
  return count == 0 ? "its messages are lost" : fmt::format("{} messages are lost", count);
}

}  // namespace ovf::mcap
