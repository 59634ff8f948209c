#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "math/crc32.hpp"
#include "recording/mcap/mcap_index.hpp"

namespace ovf::mcap {
namespace {

struct Footer {
  std::uint64_t offset = 0;
  std::uint64_t summary_start = 0;
  std::uint32_t summary_crc = 0;
};

std::optional<Footer> read_footer(ByteSource& source) {
  std::array<std::byte, kHeadSize + kFooterSize + kMagic.size()> bytes{};
  if (source.size() < kMagic.size() + bytes.size()) return std::nullopt;
  Footer footer;
  footer.offset = source.size() - bytes.size();
  if (!source.read(footer.offset, bytes)) return std::nullopt;
  if (std::memcmp(bytes.data() + kHeadSize + kFooterSize, kMagic.data(), kMagic.size()) != 0) {
    return std::nullopt;
  }
  Cursor cursor(bytes);
  if (Op{cursor.u8()} != Op::kFooter || cursor.u64() != kFooterSize) return std::nullopt;
  footer.summary_start = cursor.u64();
  cursor.u64();  // summary offsets: all of the summary is read
  footer.summary_crc = cursor.u32();
  return footer;
}

std::string add_chunk(const ChunkIndex& index, std::uint64_t data_end, Summary& summary) {
  if (index.length < kHeadSize || index.offset < kMagic.size() || index.offset > data_end ||
      index.length > data_end - index.offset ||
      index.message_index_length > data_end - index.offset - index.length) {
    return fmt::format("it has a chunk at byte {} that does not lie before it", index.offset);
  }
  if (index.start > index.end || index.size > kLongestRecord) {
    return fmt::format("times or size of the chunk at byte {} are no such", index.offset);
  }
  const std::uint64_t end = index.offset + index.length;
  summary.covered.push_back({index.offset, end + index.message_index_length});
  summary.chunks.push_back({index.offset, index.length - kHeadSize, index.size, index.start,
                            index.end, index.channels, false});
  return {};
}

std::string parse(std::span<const std::byte> bytes, std::uint64_t data_end, Summary& summary,
                  Warnings& warnings) {
  Cursor cursor(bytes);
  while (cursor.left() > 0) {
    const std::uint64_t at = data_end + cursor.at();
    const auto record = next_record(cursor);
    if (!record) return fmt::format("there is no record at byte {}", at);
    bool parsed = true;
    if (record->op == Op::kSchema) {
      auto schema = parse_schema(record->content);
      parsed = schema.has_value();
      if (parsed) summary.topics.add(std::move(*schema), warnings);
    } else if (record->op == Op::kChannel) {
      auto channel = parse_channel(record->content);
      parsed = channel.has_value();
      if (parsed) summary.topics.add(std::move(*channel), warnings);
    } else if (record->op == Op::kStatistics) {
      summary.statistics = parse_statistics(record->content);
      parsed = summary.statistics.has_value();
    } else if (record->op == Op::kChunkIndex) {
      const auto index = parse_chunk_index(record->content);
      parsed = index.has_value();
      if (parsed) {
        if (std::string problem = add_chunk(*index, data_end, summary); !problem.empty()) {
          return problem;
        }
      }
    }
    if (!parsed) return fmt::format("the record at byte {} is damaged", at);
  }
  return {};
}

// A summary may leave out much and is then of no use: what it leaves out is found in the file.
bool complete(const Summary& summary) {
  if (!summary.topics.whole()) return false;
  if (!summary.chunks.empty() && summary.topics.channels().empty()) return false;
  for (const Chunk& chunk : summary.chunks) {
    for (const std::uint16_t id : chunk.channels) {
      if (!summary.topics.has_channel(id)) return false;
    }
  }
  if (!summary.statistics) return true;
  return summary.statistics->channels <= summary.topics.channels().size();
}

std::string read_summary(ByteSource& source, const Footer& footer, Summary& summary,
                         Warnings& warnings) {
  if (footer.summary_start < kMagic.size() || footer.summary_start > footer.offset) {
    return fmt::format("it cannot begin at byte {}", footer.summary_start);
  }
  const std::uint64_t length = footer.offset - footer.summary_start;
  if (length > kLongestRecord) return "it is too long";
  // The checksum covers the footer up to itself.
  std::vector<std::byte> bytes(length + kHeadSize + kFooterSize - sizeof(footer.summary_crc));
  if (!source.read(footer.summary_start, bytes)) return "it cannot be read";
  if (footer.summary_crc != 0 && crc32(bytes) != footer.summary_crc) {
    return "its bytes do not agree with their checksum";
  }
  std::string problem =
      parse(std::span(bytes).first(length), footer.summary_start, summary, warnings);
  if (!problem.empty()) return problem;

  std::sort(summary.covered.begin(), summary.covered.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  for (std::size_t k = 1; k < summary.covered.size(); ++k) {
    if (summary.covered[k].begin < summary.covered[k - 1].end) {
      return fmt::format("the chunk at byte {} begins in another one", summary.covered[k].begin);
    }
  }
  return {};
}

}  // namespace

FileEnd read_file_end(ByteSource& source, Warnings& warnings) {
  const auto footer = read_footer(source);
  if (!footer) {
    warnings.add(
        "it has no end: the recorder did not finish it, or it was cut off. It is gone over record "
        "by record, and what is there is read");
    return {source.size(), std::nullopt};
  }
  if (footer->summary_start == 0) return {footer->offset, std::nullopt};
  Summary summary;
  Warnings found = warnings;
  const std::string problem = read_summary(source, *footer, summary, found);
  if (problem.empty() && complete(summary)) {
    warnings = std::move(found);
    return {footer->summary_start, std::move(summary)};
  }
  if (!problem.empty()) {
    warnings.add(fmt::format(
        "its summary is damaged ({}): it is gone over record by record instead", problem));
  }
  return {footer->offset, std::nullopt};
}

}  // namespace ovf::mcap
