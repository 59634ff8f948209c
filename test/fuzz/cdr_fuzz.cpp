#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "ovf/recording/cdr.hpp"
#include "ovf/recording/ros_messages.hpp"

namespace {

using Bytes = std::vector<std::byte>;

template <typename M>
void check(std::span<const std::byte> bytes) {
  M message;
  try {
    ovf::decode(bytes, message);
  } catch (const ovf::CdrError&) {
    return;
  }
  // What was read once comes back, bit for bit: compared as bytes because of NaN.
  Bytes first;
  ovf::encode(message, first);
  Bytes second;
  ovf::encode(ovf::decode<M>(first), second);
  if (first != second) std::abort();
}

}  // namespace

/// The first byte chooses the message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::size_t left = *data % ovf::ros::AllMessages::kSize;
  ovf::ros::AllMessages::each([&]<typename M>() {
    if (left-- == 0) check<M>(std::as_bytes(std::span(data + 1, size - 1)));
  });
  return 0;
}
