#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "recording/mcap/mcap_chunk.hpp"
#include "recording/mcap/mcap_topics.hpp"
#include "recording/mcap/mcap_warnings.hpp"

namespace ovf::mcap {

/// Bytes of a file.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Messages, their number and log times; the times mean something if there are any.
struct Extent {
  std::uint64_t messages = 0;
  std::uint64_t start = UINT64_MAX;
  std::uint64_t end = 0;

  void add(std::uint64_t time);
  void add(const Extent& other);
};

/// Messages that lie in the file outside of any chunk.
struct LooseMessages {
  std::vector<Range> ranges = {};  ///< whole records, some of them messages
  Extent extent = {};
  bool sorted = true;
};

/// What a file has, and where. It takes a few dozen bytes for each chunk.
struct Index {
  TopicTable topics = {};
  std::vector<Chunk> chunks = {};  ///< in the order of the file
  LooseMessages loose = {};
  /// Of the whole file; number 0: not known, or there are none.
  Extent extent = {};
};

/// What a summary states. Bytes of the file's data that its chunks do not cover are not known.
struct Summary {
  TopicTable topics = {};
  std::vector<Chunk> chunks = {};
  /// Where the chunks and the message indexes behind them lie.
  std::vector<Range> covered = {};
  std::optional<Statistics> statistics = {};
};

/// Where the part with the data ends, and what the summary behind it states, if it can be relied
/// on.
struct FileEnd {
  std::uint64_t data_end = 0;
  std::optional<Summary> summary = {};
};

FileEnd read_file_end(ByteSource& source, Warnings& warnings);

/// Goes over the records in a part of the file, up to the end of its data, and adds what they are
/// to the index.
void scan_records(ByteSource& source, Range range, UnpackBudget& budget, Index& index,
                  Warnings& warnings);

/// By the summary, and by going over the rest of the file record by record: all of it if there is
/// no summary. Throws RecordingError if this is no MCAP file.
Index build_index(ByteSource& source, UnpackBudget budget, Warnings& warnings);

}  // namespace ovf::mcap
