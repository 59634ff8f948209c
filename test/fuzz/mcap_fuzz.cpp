#include <cstddef>
#include <cstdint>
#include <span>

#include "ovf/recording/recording.hpp"
#include "recording/mcap/mcap_open.hpp"

// Whatever the bytes are, reading them ends with messages or a RecordingError.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(data, size);
  ovf::ReadOptions window;
  window.topics = {"/odom"};
  window.start = 1000;
  window.end = 3000;
  for (const ovf::ReadOptions& options : {ovf::ReadOptions{}, window}) {
    try {
      const auto reader =
          ovf::read_mcap(ovf::memory_bytes("fuzz.mcap", std::as_bytes(bytes)), options);
      ovf::RecordedMessage message;
      std::uint8_t sum = 0;
      while (reader->next(message)) {
        const bool known = message.topic >= 0 && message.topic < std::ssize(reader->topics());
        if (!known || message.log_time < 0 || message.publish_time < 0) __builtin_trap();
        for (const std::byte byte : message.data) sum ^= std::to_integer<std::uint8_t>(byte);
      }
      volatile std::uint8_t used = sum;
      static_cast<void>(used);
    } catch (const ovf::RecordingError&) {
      continue;
    }
  }
  return 0;
}
