#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace ovf {

/// Throws std::invalid_argument naming the key, its value and what was expected.
template <typename Value>
void require(bool holds, const std::string& key, const Value& value, const std::string& expected) {
  if (holds) return;
  std::ostringstream message;
  message << key << " = " << value << ": expected " << expected;
  throw std::invalid_argument(message.str());
}

}  // namespace ovf
