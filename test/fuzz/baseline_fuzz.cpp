// A baseline: figures or std::invalid_argument.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "ovf/evaluation/baseline.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const ovf::Baseline baseline =
        ovf::read_baseline(std::string(reinterpret_cast<const char*>(data), size), "fuzz.json");
    for (const auto& [name, figure] : baseline) {
      if (!std::isfinite(figure.value) || !(figure.tolerance >= 0.0)) __builtin_trap();
    }
    static_cast<void>(ovf::check_baseline(baseline, {{"position_rmse", 1.0}}));
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
