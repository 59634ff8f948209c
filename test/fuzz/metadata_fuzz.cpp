// metadata.yaml of a rosbag2 folder: parsed, or a RecordingError.
#include <cstddef>
#include <cstdint>
#include <string>

#include "ovf/recording/recording.hpp"
#include "recording/bag/bag_metadata.hpp"
#include "recording/bag/metadata_tree.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    static_cast<void>(ovf::parse_bag_metadata(text, "metadata.yaml"));
    // What is written must be readable, and the same.
    const auto once = ovf::metadata_text(ovf::parse_metadata_tree(text, "once"));
    try {
      if (ovf::metadata_text(ovf::parse_metadata_tree(once, "twice")) != once) __builtin_trap();
    } catch (const ovf::RecordingError&) {
      __builtin_trap();
    }
  } catch (const ovf::RecordingError&) {
  }
  return 0;
}
