#include "ovf/config/schema.hpp"

#include <fmt/format.h>

#include <algorithm>

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

std::string NumberListRange::text() const {
  const std::string each = element.text();
  return fmt::format("up to {} numbers{}", longest, each.empty() ? "" : ", each " + each);
}

bool NameListRange::contains(const std::vector<std::string>& names) const {
  if (names.size() > static_cast<std::size_t>(longest)) return false;
  const char* const first = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
  const std::string all = std::string(first) + "0123456789";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].find_first_of(first) != 0) return false;
    if (names[i].find_first_not_of(all) != std::string::npos) return false;
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i)) {
      return false;
    }
  }
  return true;
}

std::string NameListRange::text() const {
  return fmt::format("up to {} different names of letters, digits and _", longest);
}

std::string IntListRange::text() const {
  return fmt::format("up to {} numbers, each {}", longest, element.text());
}

}  // namespace ovf
