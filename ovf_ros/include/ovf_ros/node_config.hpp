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
/// sensors, whose groups are parameters too. Throws std::invalid_argument with a line for each
/// mistake.
NodeParameters declare_node_parameters(RosParameters::Parameters& parameters,
                                       ParameterChecks& checks);

/// Whether a parameter may change while the node is configured.
bool is_live(const std::string& key);

/// What is wrong with the rollouts that are asked for; else empty.
std::string check_rollouts(const ovf::OutputConfig& output);

}  // namespace ovf_ros
