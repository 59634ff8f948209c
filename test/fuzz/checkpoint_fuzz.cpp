// A checkpoint's file: a checkpoint or std::runtime_error; and one with this content comes back.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "ovf/estimator/checkpoint.hpp"
#include "scratch_folder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = ovf::scratch_folder() / "robot.ovf";
  ovf::write_bytes(path, data, size);
  try {
    static_cast<void>(ovf::read_checkpoint(path, "fuzz"));
  } catch (const std::runtime_error&) {
  }
  ovf::Checkpoint content{.fingerprint = "fuzz", .bytes = std::vector<std::byte>(size)};
  if (size > 0) std::memcpy(content.bytes.data(), data, size);
  ovf::write_checkpoint(path, content);
  if (ovf::read_checkpoint(path, "fuzz").bytes != content.bytes) __builtin_trap();
  return 0;
}
