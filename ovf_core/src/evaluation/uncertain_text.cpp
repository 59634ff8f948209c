#include "ovf/evaluation/uncertain_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ovf {
namespace {

// More decimals than this are written as powers of ten.
constexpr int kMaxDecimals = 9;

}  // namespace

UncertainText uncertain_text(double value, double deviation) {
  if (!(deviation > 0.0) || !std::isfinite(deviation)) {
    return {fmt::format("{:.6g}", value), fmt::format("{:.2g}", deviation)};
  }
  // Of the second significant digit, after rounding: 0.0996 is 0.10.
  const std::string rounded = fmt::format("{:.1e}", deviation);
  const int exponent = std::stoi(rounded.substr(rounded.find('e') + 1));
  const int decimals = std::max(0, 1 - exponent);
  if (decimals > kMaxDecimals) return {fmt::format("{:.{}g}", value, kMaxDecimals), rounded};
  return {fmt::format("{:.{}f}", value, decimals), fmt::format("{:.{}f}", deviation, decimals)};
}

}  // namespace ovf
