#pragma once

#include <cmath>
#include <numbers>

namespace ovf {

/// The same angle within half a turn of zero.
inline double wrapped(double angle) { return std::remainder(angle, 2.0 * std::numbers::pi); }

}  // namespace ovf
