#pragma once

#include "recording/mcap/mcap_output.hpp"

namespace ovf::mcap {

/// What the summary repeats of a file.
struct SummaryRecords {
  RecordBytes schemas = {};
  RecordBytes channels = {};
  RecordBytes statistics = {};
  RecordBytes chunk_indexes = {};
};

/// Ends the data of a file, and the file.
void write_tail(OutputFile& file, const SummaryRecords& summary);

}  // namespace ovf::mcap
