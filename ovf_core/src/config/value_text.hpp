#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ovf {

/// The shortest text that reads back as the same number. It always has a decimal point, because
/// ROS takes 1 for an integer and Python's YAML takes 1e-06 for a string.
std::string number_text(double value);
/// Double quoted, with YAML's escapes.
std::string quoted_text(const std::string& value);
/// [64, 64]
std::string list_text(const std::vector<int>& values);
std::string list_text(const std::vector<double>& values);

/// The whole text must be a decimal number that fits the type.
template <typename Integer>
std::optional<Integer> parse_integer(const std::string& text);
/// As above; .inf and .nan are not numbers here.
std::optional<double> parse_number(const std::string& text);
/// true or false, in lower case, upper case or capitalised.
std::optional<bool> parse_bool(const std::string& text);

}  // namespace ovf
