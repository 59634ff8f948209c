#pragma once

#include <memory>

#include "ovf/recording/recording.hpp"
#include "recording/mcap/mcap_bytes.hpp"

namespace ovf {

/// open_mcap on bytes that need not be in a file.
std::unique_ptr<RecordingReader> read_mcap(std::unique_ptr<ByteSource> source,
                                           const ReadOptions& options);

}  // namespace ovf
