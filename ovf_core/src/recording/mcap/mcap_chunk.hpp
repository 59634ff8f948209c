#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "recording/bag/unpack_budget.hpp"
#include "recording/mcap/mcap_bytes.hpp"
#include "recording/mcap/mcap_records.hpp"

namespace ovf::mcap {

/// A chunk of the file, as the summary or the file itself says.
struct Chunk {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  ///< of the record's content
  std::uint64_t size = 0;    ///< unpacked
  /// Log times of its first and last message.
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  /// Those of its messages; empty: not known.
  std::vector<std::uint16_t> channels = {};
  /// The file breaks off in it: its size is what there is, and no checksum vouches for it.
  bool cut = false;
};

/// The records in the chunk at `place`. Returns what is wrong, empty if nothing is; of a chunk that
/// is cut short by the end of the file (`cut`) the records that are there come all the same.
std::string load_chunk(ByteSource& source, const RecordPlace& place, UnpackBudget& budget,
                       bool& cut, std::vector<std::byte>& records);

/// That of a chunk found before; it has to be the same size as then.
std::string load_chunk(ByteSource& source, const Chunk& chunk, UnpackBudget& budget,
                       std::vector<std::byte>& records);

/// "12 messages are lost", by the message indexes behind the chunk, if there are any.
std::string lost_messages(ByteSource& source, const RecordPlace& place);

}  // namespace ovf::mcap
