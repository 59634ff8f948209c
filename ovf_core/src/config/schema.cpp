#include "ovf/config/schema.hpp"

#include <fmt/format.h>

#include "config/value_text.hpp"

namespace ovf {

bool IntRange::contains(int value) const {
  if (value < lowest || value > highest) return false;
  return (static_cast<std::int64_t>(value) - lowest) % step == 0;
}

std::string IntRange::text() const {
  const bool has_lowest = lowest > std::numeric_limits<int>::min();
  const bool has_highest = highest < std::numeric_limits<int>::max();
  std::string text;
  if (has_lowest && has_highest) {
    text = fmt::format("{} to {}", lowest, highest);
  } else if (has_lowest) {
    text = fmt::format("at least {}", lowest);
  } else if (has_highest) {
    text = fmt::format("up to {}", highest);
  }
  if (step > 1) text += fmt::format(" in steps of {}", step);
  return text;
}

bool NumberRange::contains(double value) const {
  return (above_lowest ? value > lowest : value >= lowest) && value <= highest;
}

std::string NumberRange::text() const {
  const bool has_lowest = lowest > std::numeric_limits<double>::lowest();
  const bool has_highest = highest < std::numeric_limits<double>::max();
  if (has_lowest && has_highest) {
    return fmt::format("{}{} to {}", above_lowest ? "above " : "", number_text(lowest),
                       number_text(highest));
  }
  if (has_lowest) {
    return fmt::format("{} {}", above_lowest ? "above" : "at least", number_text(lowest));
  }
  return has_highest ? "up to " + number_text(highest) : "";
}

std::string IntListRange::text() const {
  return fmt::format("up to {} numbers, each {}", longest, element.text());
}

}  // namespace ovf
