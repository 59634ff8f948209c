// A .db3 file of rosbag2: messages or a RecordingError.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ovf/recording/recording.hpp"
#include "recording/sqlite/sqlite_messages.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    std::vector<std::string> warnings;
    auto database = ovf::SqliteDatabase::open_bytes(
        {reinterpret_cast<const std::byte*>(data), size}, "fuzz.db3", warnings);
    const auto reader = ovf::read_sqlite(std::move(database), {}, std::move(warnings));
    ovf::RecordedMessage message;
    unsigned sum = 0;
    while (reader->next(message)) {
      if (message.topic < 0 || message.topic >= static_cast<int>(reader->topics().size())) {
        __builtin_trap();
      }
      for (const std::byte byte : message.data) sum += static_cast<unsigned>(byte);
    }
    volatile unsigned sink = sum;
    static_cast<void>(sink);
  } catch (const ovf::RecordingError&) {
  }
  return 0;
}
