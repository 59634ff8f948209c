#include "ovf/recording/recording.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <string_view>
#include <system_error>

#include "ovf/config/printable.hpp"
#include "recording/bag/merged_reader.hpp"
#include "recording/bag/recording_files.hpp"
#include "recording/mcap/mcap_open.hpp"
#include "recording/sqlite/sqlite_messages.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExpected = "Give a rosbag2 folder, or a .mcap or .db3 file.";

// Names of files mean little; their first bytes say what they are.
std::unique_ptr<RecordingReader> open_file(const fs::path& path, const ReadOptions& options,
                                           const std::shared_ptr<UnpackPool>& pool) {
  const auto fail = [&](const std::string& what, const std::string& advice) {
    throw RecordingError(fmt::format("{}: {}. {}", path.string(), what, advice));
  };
  std::error_code error;
  if (!fs::is_regular_file(path, error)) fail("is not a file", kExpected);
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("cannot be opened", "Check its permissions.");
  std::array<char, 16> bytes{};
  file.read(bytes.data(), bytes.size());
  const std::string_view head(bytes.data(), static_cast<std::size_t>(file.gcount()));
  if (head.empty()) fail("is empty", "The recorder may have been stopped before it wrote.");
  if (head.starts_with("\x89MCAP")) return read_mcap(open_file_bytes(path), options, pool);
  if (head.starts_with("SQLite format 3")) {
    std::vector<std::string> warnings;
    SqliteDatabase database = SqliteDatabase::open_file(path, warnings);
    return read_sqlite(std::move(database), options, std::move(warnings), pool);
  }
  if (head.starts_with("\x28\xb5\x2f\xfd")) {
    fail("is compressed as a whole",
         fmt::format("Decompress it first: zstd -d '{}'", path.string()));
  }
  if (head.starts_with("#ROSBAG")) {
    fail("is a recording of ROS 1", "Convert it to ROS 2 first, for example with rosbags-convert.");
  }
  fail("is neither MCAP nor SQLite", kExpected);
  return nullptr;
}

}  // namespace

std::unique_ptr<RecordingReader> open_recording(const fs::path& path, const ReadOptions& options) {
  RecordingFiles files = find_recording_files(path);
  const BagMetadata& metadata = files.metadata;
  if (metadata.compression_mode == "message" && metadata.compression_format != "zstd") {
    throw RecordingError(fmt::format(
        "{}: its messages are compressed with {}; zstd is supported. Convert it with `ros2 bag "
        "convert`.",
        path.string(), printable(metadata.compression_format)));
  }
  const auto pool = std::make_shared<UnpackPool>();
  return merge_files(std::move(files), options, pool, [options, pool](const fs::path& file) {
    return open_file(file, options, pool);
  });
}

}  // namespace ovf
