#pragma once

#include <memory>

#include "ovf/recording/recording.hpp"
#include "recording/bag/unpack_budget.hpp"
#include "recording/mcap/mcap_bytes.hpp"

namespace ovf {

/// open_mcap on bytes that need not be in a file, and may be one of several of a recording.
std::unique_ptr<RecordingReader> read_mcap(
    std::unique_ptr<ByteSource> source, const ReadOptions& options,
    std::shared_ptr<UnpackPool> pool = std::make_shared<UnpackPool>());

}  // namespace ovf
