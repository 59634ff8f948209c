#pragma once

#include <string>

namespace ovf {

/// A value and its standard deviation as people write them.
struct UncertainText {
  std::string value;
  std::string deviation;
};

/// The deviation with two significant digits, the value rounded to the same decimal place: 0.1442
/// and 0.0011. No deviation above zero is shown as zero.
UncertainText uncertain_text(double value, double deviation);

}  // namespace ovf
