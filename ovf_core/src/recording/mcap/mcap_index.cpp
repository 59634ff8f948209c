#include "recording/mcap/mcap_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "ovf/recording/recording.hpp"

namespace ovf::mcap {
namespace {

void require_magic(ByteSource& source) {
  std::array<std::byte, kMagic.size()> bytes{};
  if (source.size() == 0) {
    throw RecordingError(
        fmt::format("{}: it is empty: the recorder wrote nothing. Record again, or leave it out",
                    source.name()));
  }
  constexpr std::size_t kVersion = 5;
  const bool there = source.read(0, bytes);
  if (there && std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0) return;
  if (there && std::memcmp(bytes.data(), kMagic.data(), kVersion) == 0) {
    throw RecordingError(
        fmt::format("{}: its byte {} says that it is of another version of MCAP than 0 (or it is "
                    "damaged). Convert it with the mcap tool",
                    source.name(), kVersion));
  }
  throw RecordingError(
      fmt::format("{}: it does not begin with the eight bytes of an MCAP file. Give an .mcap file",
                  source.name()));
}

void scan_gaps(ByteSource& source, const std::vector<Range>& covered, std::uint64_t data_end,
               UnpackBudget& budget, Index& index, Warnings& warnings) {
  std::uint64_t at = kMagic.size();
  for (const Range& range : covered) {
    if (at < range.begin) scan_records(source, {at, range.begin}, budget, index, warnings);
    at = range.end;
  }
  if (at < data_end) scan_records(source, {at, data_end}, budget, index, warnings);
}

void set_extent(const Summary& summary, Index& index) {
  if (summary.statistics) {
    const Statistics& statistics = *summary.statistics;
    index.extent = {};
    index.extent.messages = statistics.messages;
    if (statistics.messages == 0 || statistics.start > statistics.end) return;
    index.extent.start = statistics.start;
    index.extent.end = statistics.end;
  } else if (!summary.chunks.empty()) {
    for (const Chunk& chunk : summary.chunks) {
      if (chunk.end == 0) continue;  // stands for a chunk without messages
      index.extent.add(Extent{0, chunk.start, chunk.end});
    }
    index.extent.messages = 0;
  }
}

}  // namespace

void Extent::add(std::uint64_t time) { add(Extent{1, time, time}); }

void Extent::add(const Extent& other) {
  messages += other.messages;
  start = std::min(start, other.start);
  end = std::max(end, other.end);
}

Index build_index(ByteSource& source, UnpackBudget budget, Warnings& warnings) {
  require_magic(source);
  const FileEnd file_end = read_file_end(source, warnings);
  Index index;
  std::vector<Range> covered;
  if (file_end.summary) {
    index.topics = file_end.summary->topics;
    index.chunks = file_end.summary->chunks;
    covered = file_end.summary->covered;
  }
  scan_gaps(source, covered, file_end.data_end, budget, index, warnings);
  if (file_end.summary) set_extent(*file_end.summary, index);
  std::sort(index.chunks.begin(), index.chunks.end(),
            [](const Chunk& a, const Chunk& b) { return a.offset < b.offset; });
  index.topics.build(warnings);
  if (!index.loose.sorted) {
    warnings.add(
        "its messages outside of chunks are not in the order of their log times: they come in the "
        "order of the file");
  }
  return index;
}

}  // namespace ovf::mcap
