#pragma once

#include <string>
#include <vector>

#include "ovf/config/schema.hpp"
#include "ovf/estimator/estimator_config.hpp"
#include "ovf/estimator/planar_simulator.hpp"
#include "rclcpp/parameter.hpp"

namespace ovf_ros::test {

/// The fields of a configuration as a node's parameters.
class ConfigParameters : public ovf::ConfigVisitor {
 public:
  std::vector<rclcpp::Parameter> parameters;

 private:
  template <typename Value>
  void add(const ovf::Field& field, const Value& value) {
    parameters.emplace_back(field.key, value);
  }
  void on_field(const ovf::Field& field, bool& value) override { add(field, value); }
  void on_field(const ovf::Field& field, int& value, const ovf::IntRange& /*range*/) override {
    add(field, value);
  }
  void on_field(const ovf::Field& field, double& value,
                const ovf::NumberRange& /*range*/) override {
    add(field, value);
  }
  void on_field(const ovf::Field& field, std::uint64_t& value) override {
    add(field, static_cast<std::int64_t>(value));
  }
  void on_field(const ovf::Field& field, std::string& value) override { add(field, value); }
  void on_field(const ovf::Field& field, std::vector<int>& value,
                const ovf::IntListRange& /*range*/) override {
    add(field, std::vector<std::int64_t>(value.begin(), value.end()));
  }
  void on_field(const ovf::Field& field, std::vector<double>& value,
                const ovf::NumberListRange& /*range*/) override {
    add(field, value);
  }
  void on_field(const ovf::Field& field, std::vector<std::string>& value,
                const ovf::NameListRange& /*range*/) override {
    add(field, value);
  }
  void on_choice(const ovf::Field& field, std::string& value,
                 const std::vector<std::string>& /*allowed*/) override {
    add(field, value);
  }
};

/// The shipped configuration of the robot that is simulated, with the landmarks around it.
inline ovf::EstimatorConfig simulated_robot_config() {
  ovf::EstimatorConfig config =
      ovf::load_estimator_config(std::string(OVF_REPOSITORY) + "/config/planar_all_sensors.yaml");
  const ovf::PlanarSimulator simulated{ovf::PlanarSimulatorConfig()};
  for (const ovf::Landmark& landmark : simulated.landmarks()) {
    config.landmark_ids.push_back(landmark.id);
    config.landmark_x.push_back(landmark.position.x());
    config.landmark_y.push_back(landmark.position.y());
    config.landmark_z.push_back(landmark.position.z());
  }
  return config;
}

template <typename Config>
std::vector<rclcpp::Parameter> parameters_of(Config config) {
  ConfigParameters visitor;
  visit(visitor, config);
  return visitor.parameters;
}

}  // namespace ovf_ros::test
