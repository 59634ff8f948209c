#include "recording/mcap/mcap_tail.hpp"

#include "math/crc32.hpp"

namespace ovf::mcap {

void write_tail(OutputFile& file, const SummaryRecords& summary) {
  RecordBytes data_end;
  data_end.begin(Op::kDataEnd);
  data_end.u32(file.crc());
  data_end.end();
  file.write(data_end.view());

  const std::uint64_t start = file.size();
  RecordBytes groups;
  RecordBytes offsets;
  const auto add_group = [&](Op op, const RecordBytes& group) {
    if (group.size() == 0) return;
    offsets.begin(Op::kSummaryOffset);
    offsets.u8(static_cast<std::uint8_t>(op));
    offsets.u64(start + groups.size());
    offsets.u64(group.size());
    offsets.end();
    groups.bytes(group.view());
  };
  add_group(Op::kSchema, summary.schemas);
  add_group(Op::kChannel, summary.channels);
  add_group(Op::kStatistics, summary.statistics);
  add_group(Op::kChunkIndex, summary.chunk_indexes);
  const std::uint64_t offsets_start = start + groups.size();
  groups.bytes(offsets.view());

  // The checksum covers the footer up to itself, so that its length is there before its content.
  RecordBytes footer;
  footer.u8(static_cast<std::uint8_t>(Op::kFooter));
  footer.u64(kFooterSize);
  footer.u64(start);
  footer.u64(offsets_start);
  footer.u32(crc32(footer.view(), crc32(groups.view())));
  footer.bytes(std::as_bytes(std::span(kMagic)));
  file.write(groups.view());
  file.write(footer.view());
}

}  // namespace ovf::mcap
