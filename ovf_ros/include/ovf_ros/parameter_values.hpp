#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rclcpp/parameter_value.hpp"

// Between the values of ROS parameters and those of a configuration. Nothing is returned for a
// value of another type.
namespace ovf_ros {

std::optional<bool> as_bool(const rclcpp::ParameterValue& value);
std::optional<std::int64_t> as_integer(const rclcpp::ParameterValue& value);
/// A whole number is a number, too.
std::optional<double> as_number(const rclcpp::ParameterValue& value);
std::optional<std::string> as_text(const rclcpp::ParameterValue& value);
/// An empty list has no type, and is a list of anything.
std::optional<std::vector<std::int64_t>> as_integers(const rclcpp::ParameterValue& value);
std::optional<std::vector<double>> as_numbers(const rclcpp::ParameterValue& value);
std::optional<std::vector<std::string>> as_texts(const rclcpp::ParameterValue& value);

/// For a message, cut to a length for people.
std::string shown(const rclcpp::ParameterValue& value);

}  // namespace ovf_ros
