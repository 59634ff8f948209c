// A robot's configuration file: a configuration, or std::invalid_argument. What is written of it is
// read as the same.
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "ovf/estimator/estimator_config.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::string once;
  try {
    once = ovf::write_estimator_config(ovf::read_estimator_config(text, "fuzz.yaml"));
  } catch (const std::invalid_argument&) {
    return 0;
  }
  try {
    const auto again = ovf::read_estimator_config(once, "once.yaml");
    if (ovf::write_estimator_config(again) != once) __builtin_trap();
  } catch (const std::invalid_argument&) {
    __builtin_trap();
  }
  return 0;
}
