#include "ovf_ros/ros_parameters.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "ovf_ros/parameter_values.hpp"

namespace ovf_ros {
namespace {

using rcl_interfaces::msg::ParameterDescriptor;

// Of rclcpp and of the libraries that declare parameters later on.
bool belongs_to_others(const std::string& key) {
  return key.starts_with("qos_overrides.") || key.starts_with("diagnostic_updater.");
}

std::string with_range(const std::string& type, const std::string& range) {
  return range.empty() ? type : type + " (" + range + ")";
}

std::string join(const std::vector<std::string>& parts, const char* separator) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : separator) + part;
  return all;
}

ParameterDescriptor descriptor_of(const ovf::IntRange& range) {
  ParameterDescriptor descriptor;
  auto& integers = descriptor.integer_range.emplace_back();
  integers.from_value = range.lowest;
  integers.to_value = range.highest;
  integers.step = static_cast<std::uint64_t>(range.step);
  return descriptor;
}

// A descriptor's range has its ends; that the lowest is left out is checked besides.
ParameterDescriptor descriptor_of(const ovf::NumberRange& range) {
  ParameterDescriptor descriptor;
  auto& numbers = descriptor.floating_point_range.emplace_back();
  numbers.from_value = range.lowest;
  numbers.to_value = range.highest;
  return descriptor;
}

template <typename Value>
std::optional<Value> read(const rclcpp::ParameterValue& value);

template <>
std::optional<bool> read(const rclcpp::ParameterValue& value) {
  return as_bool(value);
}

template <>
std::optional<int> read(const rclcpp::ParameterValue& value) {
  const auto whole = as_integer(value);
  if (!whole || *whole != static_cast<int>(*whole)) return std::nullopt;
  return static_cast<int>(*whole);
}

template <>
std::optional<double> read(const rclcpp::ParameterValue& value) {
  return as_number(value);
}

template <>
std::optional<std::uint64_t> read(const rclcpp::ParameterValue& value) {
  const auto whole = as_integer(value);
  if (!whole || *whole < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*whole);
}

template <>
std::optional<std::string> read(const rclcpp::ParameterValue& value) {
  return as_text(value);
}

template <>
std::optional<std::vector<int>> read(const rclcpp::ParameterValue& value) {
  const auto whole = as_integers(value);
  if (!whole) return std::nullopt;
  std::vector<int> out;
  for (const std::int64_t each : *whole) {
    if (each != static_cast<int>(each)) return std::nullopt;
    out.push_back(static_cast<int>(each));
  }
  return out;
}

template <>
std::optional<std::vector<double>> read(const rclcpp::ParameterValue& value) {
  return as_numbers(value);
}

template <>
std::optional<std::vector<std::string>> read(const rclcpp::ParameterValue& value) {
  return as_texts(value);
}

rclcpp::ParameterValue parameter_value(std::uint64_t value) {
  return rclcpp::ParameterValue(static_cast<std::int64_t>(value));
}
rclcpp::ParameterValue parameter_value(const std::vector<int>& value) {
  return rclcpp::ParameterValue(std::vector<std::int64_t>(value.begin(), value.end()));
}
template <typename Value>
rclcpp::ParameterValue parameter_value(const Value& value) {
  return rclcpp::ParameterValue(value);
}

template <typename List, typename Range>
bool fits_list(const List& list, const Range& range) {
  return list.size() <= static_cast<std::size_t>(range.longest) &&
         std::all_of(list.begin(), list.end(),
                     [&](const auto& each) { return range.element.contains(each); });
}

}  // namespace

std::optional<rclcpp::ParameterValue> RosParameters::find(const std::string& key) const {
  for (const rclcpp::Parameter& change : changes_) {
    if (change.get_name() == key) return change.get_parameter_value();
  }
  if (parameters_.has_parameter(key)) {
    return parameters_.get_parameter(key).get_parameter_value();
  }
  const auto& given = parameters_.get_parameter_overrides();
  const auto found = given.find(key);
  return found == given.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> RosParameters::names(const std::string& key) const {
  const auto value = find(key);
  return value ? as_texts(*value).value_or(std::vector<std::string>()) : std::vector<std::string>();
}

template <typename Value, typename Fits>
void RosParameters::take(const ovf::Field& field, Value& value, const std::string& expected,
                         const Fits& fits, ParameterDescriptor descriptor) {
  const auto check = [key = field.key, expected, fits](const rclcpp::ParameterValue& candidate) {
    const std::optional<Value> parsed = read<Value>(candidate);
    if (parsed && fits(*parsed)) return std::string();
    return key + " is " + shown(candidate) + "; expected " + expected;
  };
  checks_[field.key] = check;
  if (const auto found = find(field.key)) {
    const std::string mistake = check(*found);
    if (!mistake.empty()) {
      mistakes_.push_back(mistake);
      return;
    }
    value = *read<Value>(*found);
  }
  if (parameters_.has_parameter(field.key)) return;
  descriptor.name = field.key;
  descriptor.description = field.doc;
  descriptor.additional_constraints = expected;
  // Not as rclcpp would take a given value: it is read already, and a whole number has become one.
  parameters_.declare_parameter(field.key, parameter_value(value), descriptor, true);
}

void RosParameters::on_field(const ovf::Field& field, bool& value) {
  take(field, value, "true or false", [](bool) { return true; });
}

void RosParameters::on_field(const ovf::Field& field, int& value, const ovf::IntRange& range) {
  take(
      field, value, with_range("an integer", range.text()),
      [range](int v) { return range.contains(v); }, descriptor_of(range));
}

void RosParameters::on_field(const ovf::Field& field, double& value,
                             const ovf::NumberRange& range) {
  take(
      field, value, with_range("a number", range.text()),
      [range](double v) { return range.contains(v); }, descriptor_of(range));
}

void RosParameters::on_field(const ovf::Field& field, std::uint64_t& value) {
  ParameterDescriptor descriptor;
  descriptor.integer_range.emplace_back().to_value = std::numeric_limits<std::int64_t>::max();
  take(
      field, value, with_range("an integer", "0 to " + std::to_string(ovf::kLargestUnsigned)),
      [](std::uint64_t) { return true; }, descriptor);
}

void RosParameters::on_field(const ovf::Field& field, std::string& value) {
  take(field, value, "text", [](const std::string&) { return true; });
}

void RosParameters::on_field(const ovf::Field& field, std::vector<int>& value,
                             const ovf::IntListRange& range) {
  take(field, value, with_range("a list of integers", range.text()),
       [range](const auto& list) { return fits_list(list, range); });
}

void RosParameters::on_field(const ovf::Field& field, std::vector<double>& value,
                             const ovf::NumberListRange& range) {
  take(field, value, with_range("a list of numbers", range.text()),
       [range](const auto& list) { return fits_list(list, range); });
}

void RosParameters::on_field(const ovf::Field& field, std::vector<std::string>& value,
                             const ovf::NameListRange& range) {
  take(field, value, with_range("a list of names", range.text()),
       [range](const auto& list) { return range.contains(list); });
}

void RosParameters::on_choice(const ovf::Field& field, std::string& value,
                              const std::vector<std::string>& allowed) {
  take(field, value, "one of " + join(allowed, ", "), [allowed](const std::string& v) {
    return std::find(allowed.begin(), allowed.end(), v) != allowed.end();
  });
}

void RosParameters::finish() const {
  std::vector<std::string> lines = mistakes_;
  for (const auto& [key, value] : parameters_.get_parameter_overrides()) {
    const bool known = checks_.contains(key) || parameters_.has_parameter(key);
    if (!known && !belongs_to_others(key)) {
      lines.push_back("unknown key " + key + " (" + shown(value) +
                      "); expected one of docs/parameters.md, or of a sensor that `sensors` names");
    }
  }
  if (!lines.empty()) throw std::invalid_argument(join(lines, "\n"));
}

}  // namespace ovf_ros
