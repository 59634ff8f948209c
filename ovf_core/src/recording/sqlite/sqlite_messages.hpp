#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ovf/recording/recording.hpp"
#include "recording/sqlite/sqlite_database.hpp"

namespace ovf {

/// The recording in an open database; `warnings` are those of opening it.
std::unique_ptr<RecordingReader> read_sqlite(SqliteDatabase database, const ReadOptions& options,
                                             std::vector<std::string> warnings);

}  // namespace ovf
