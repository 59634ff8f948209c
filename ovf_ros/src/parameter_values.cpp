#include "ovf_ros/parameter_values.hpp"

#include <sstream>

namespace ovf_ros {
namespace {

using rclcpp::ParameterType;

bool is_empty_list(const rclcpp::ParameterValue& value) {
  switch (value.get_type()) {
    case ParameterType::PARAMETER_BYTE_ARRAY:
      return value.get<std::vector<std::uint8_t>>().empty();
    case ParameterType::PARAMETER_BOOL_ARRAY:
      return value.get<std::vector<bool>>().empty();
    case ParameterType::PARAMETER_INTEGER_ARRAY:
      return value.get<std::vector<std::int64_t>>().empty();
    case ParameterType::PARAMETER_DOUBLE_ARRAY:
      return value.get<std::vector<double>>().empty();
    case ParameterType::PARAMETER_STRING_ARRAY:
      return value.get<std::vector<std::string>>().empty();
    default:
      return false;
  }
}

template <typename Value>
std::optional<Value> of_type(const rclcpp::ParameterValue& value, ParameterType type) {
  if (value.get_type() != type) return std::nullopt;
  return value.get<Value>();
}

template <typename Element>
std::optional<std::vector<Element>> list_of_type(const rclcpp::ParameterValue& value,
                                                 ParameterType type) {
  if (is_empty_list(value)) return std::vector<Element>();
  return of_type<std::vector<Element>>(value, type);
}

}  // namespace

std::optional<bool> as_bool(const rclcpp::ParameterValue& value) {
  return of_type<bool>(value, ParameterType::PARAMETER_BOOL);
}

std::optional<std::int64_t> as_integer(const rclcpp::ParameterValue& value) {
  return of_type<std::int64_t>(value, ParameterType::PARAMETER_INTEGER);
}

std::optional<double> as_number(const rclcpp::ParameterValue& value) {
  if (const auto whole = as_integer(value)) return static_cast<double>(*whole);
  return of_type<double>(value, ParameterType::PARAMETER_DOUBLE);
}

std::optional<std::string> as_text(const rclcpp::ParameterValue& value) {
  return of_type<std::string>(value, ParameterType::PARAMETER_STRING);
}

std::optional<std::vector<std::int64_t>> as_integers(const rclcpp::ParameterValue& value) {
  return list_of_type<std::int64_t>(value, ParameterType::PARAMETER_INTEGER_ARRAY);
}

std::optional<std::vector<double>> as_numbers(const rclcpp::ParameterValue& value) {
  if (const auto whole = as_integers(value)) {
    return std::vector<double>(whole->begin(), whole->end());
  }
  return list_of_type<double>(value, ParameterType::PARAMETER_DOUBLE_ARRAY);
}

std::optional<std::vector<std::string>> as_texts(const rclcpp::ParameterValue& value) {
  return list_of_type<std::string>(value, ParameterType::PARAMETER_STRING_ARRAY);
}

std::string shown(const rclcpp::ParameterValue& value) {
  constexpr std::size_t kLongest = 80;
  std::string text = rclcpp::to_string(value);
  if (value.get_type() == ParameterType::PARAMETER_DOUBLE) {
    // As it was written, rather than with six digits behind the point.
    std::ostringstream number;
    number << value.get<double>();
    text = number.str();
  }
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text.empty() ? "empty" : text;
}

}  // namespace ovf_ros
