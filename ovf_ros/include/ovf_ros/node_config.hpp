#pragma once

#include <string>

#include "ovf/config/schema.hpp"
#include "ovf/estimator/estimator_config.hpp"
#include "ovf_ros/ros_parameters.hpp"

namespace ovf_ros {

/// What an EstimatorNode is told besides the estimator's own configuration.
struct NodeConfig {
  bool learning = true;
  bool publish_tf = true;
  bool mounting_from_tf = true;
  bool reliable_inputs = false;
  int input_depth = 10;
  std::string checkpoint = {};
  double checkpoint_period = 60.0;
  bool autostart = false;
};

/// The schema.
void visit(ovf::ConfigVisitor& visitor, NodeConfig& config);

/// Both configurations of an EstimatorNode.
struct NodeParameters {
  NodeConfig node;
  ovf::EstimatorConfig estimator;
};

/// Declares all parameters that are not declared yet, and reads them. First the names of the
/// sensors, whose groups are parameters too. What is in `changes` is read instead of the node's
/// values. Throws std::invalid_argument with a line for each mistake.
NodeParameters declare_node_parameters(RosParameters::Parameters& parameters,
                                       ParameterChecks& checks,
                                       const std::vector<rclcpp::Parameter>& changes = {});

/// Whether a parameter may change while the node is configured: learning, outputs and gates.
bool is_live(const std::string& key, const std::vector<ovf::SensorConfig>& sensors);

}  // namespace ovf_ros
