#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ovf/config/schema.hpp"
#include "rcl_interfaces/msg/parameter_descriptor.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp/parameter_value.hpp"

namespace ovf_ros {

/// For each declared parameter: what is wrong with a value, or nothing.
using ParameterChecks = std::map<std::string, std::function<std::string(rclcpp::ParameterValue)>>;

/// Declares every field that it is shown as a parameter of a node, with meaning and range, and sets
/// the field to the parameter's value: what a parameter file gives, or the default. A whole number
/// will do where a number is expected. Parameters that are declared already are read only.
class RosParameters : public ovf::ConfigVisitor {
 public:
  using Parameters = rclcpp::node_interfaces::NodeParametersInterface;

  /// Both must outlive it; checks of the fields are added to `checks`. What is in `changes` is read
  /// instead of the node's values.
  RosParameters(Parameters& parameters, ParameterChecks& checks,
                std::vector<rclcpp::Parameter> changes = {})
      : parameters_(parameters), checks_(checks), changes_(std::move(changes)) {}

  /// The declared or given value of a list of names, without declaring it; empty if it is none.
  std::vector<std::string> names(const std::string& key) const;

  /// Throws std::invalid_argument with a line for each value that is wrong, and for each given key
  /// that is no parameter of the node.
  void finish() const;

 private:
  void on_field(const ovf::Field& field, bool& value) override;
  void on_field(const ovf::Field& field, int& value, const ovf::IntRange& range) override;
  void on_field(const ovf::Field& field, double& value, const ovf::NumberRange& range) override;
  void on_field(const ovf::Field& field, std::uint64_t& value) override;
  void on_field(const ovf::Field& field, std::string& value) override;
  void on_field(const ovf::Field& field, std::vector<int>& value,
                const ovf::IntListRange& range) override;
  void on_field(const ovf::Field& field, std::vector<double>& value,
                const ovf::NumberListRange& range) override;
  void on_field(const ovf::Field& field, std::vector<std::string>& value,
                const ovf::NameListRange& range) override;
  void on_choice(const ovf::Field& field, std::string& value,
                 const std::vector<std::string>& allowed) override;

  /// The value that is to be, or is declared, or else given.
  std::optional<rclcpp::ParameterValue> find(const std::string& key) const;
  template <typename Value, typename Fits>
  void take(const ovf::Field& field, Value& value, const std::string& expected, const Fits& fits,
            rcl_interfaces::msg::ParameterDescriptor descriptor =
                rcl_interfaces::msg::ParameterDescriptor());

  Parameters& parameters_;
  ParameterChecks& checks_;
  std::vector<rclcpp::Parameter> changes_;
  std::vector<std::string> mistakes_;
};

}  // namespace ovf_ros
