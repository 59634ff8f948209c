#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ovf/recording/recording.hpp"
#include "recording/bag/unpack_budget.hpp"
#include "recording/sqlite/sqlite_database.hpp"

namespace ovf {

/// The recording in an open database, which may be one of several; `warnings` are those of opening
/// it.
std::unique_ptr<RecordingReader> read_sqlite(
    SqliteDatabase database, const ReadOptions& options, std::vector<std::string> warnings,
    std::shared_ptr<UnpackPool> pool = std::make_shared<UnpackPool>());

}  // namespace ovf
