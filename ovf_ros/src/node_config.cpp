#include "ovf_ros/node_config.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "ovf/config/parameter_list.hpp"

namespace ovf_ros {
namespace {

// A rollout of more steps is refused by the estimator.
constexpr double kMostSteps = 10'000;

// A sensor's name is that of its group, which must be no other one.
void check_names(const std::vector<std::string>& names) {
  ovf::EstimatorConfig config;
  const auto keys =
      ovf::list_parameters([&](ovf::ConfigVisitor& visitor) { visit(visitor, config); });
  for (const std::string& name : names) {
    for (const ovf::Parameter& parameter : keys) {
      if (parameter.key == name || parameter.key.starts_with(name + ".")) {
        throw std::invalid_argument("sensors is a list with " + name +
                                    "; expected names that are no group of the configuration");
      }
    }
  }
}

}  // namespace

void visit(ovf::ConfigVisitor& visitor, NodeConfig& config) {
  auto& [learning, publish_tf, mounting_from_tf, reliable_inputs, input_depth, checkpoint,
         checkpoint_period, autostart] = config;
  visitor.field("learning", learning, "Learn from the data; off: all stays as it is.");
  visitor.field("publish_tf", publish_tf,
                "Publish the transform from output.world_frame to output.body_frame.");
  visitor.field("mounting_from_tf", mounting_from_tf,
                "Take the mounting of sensors that have none configured from /tf_static.");
  visitor.field("reliable_inputs", reliable_inputs,
                "Ask for reliable delivery of sensor messages; their publishers must offer it.");
  visitor.field("input_depth", input_depth, {1, 10'000},
                "Sensor messages of a topic that may wait to be processed.");
  visitor.field("checkpoint", checkpoint,
                "File to go on from at start, and to save to; empty: none.");
  visitor.field("checkpoint_period", checkpoint_period, {.lowest = 0.1, .highest = 1e6},
                "Time between two saves while active, in seconds.");
  visitor.field("autostart", autostart, "Configure and activate without a lifecycle manager.");
}

NodeParameters declare_node_parameters(RosParameters::Parameters& parameters,
                                       ParameterChecks& checks) {
  NodeParameters out;
  RosParameters visitor(parameters, checks);
  visit(visitor, out.node);
  const std::vector<std::string> names = visitor.names("sensors");
  if (ovf::kSensorNames.contains(names)) {
    check_names(names);
    for (const std::string& name : names) out.estimator.sensors.emplace_back().name = name;
  }
  visit(visitor, out.estimator);
  visitor.finish();
  return out;
}

bool is_live(const std::string& key) {
  static const std::array kLive = {
      "learning",
      "publish_tf",
      "output.rollout_horizon",
      "output.rollout_step",
      "output.rollout_period",
      "output.rollout_paths",
      "output.parameters_period",
      "output.status_period",
  };
  return std::find(kLive.begin(), kLive.end(), key) != kLive.end();
}

std::string check_rollouts(const ovf::OutputConfig& output) {
  const double horizon = output.rollout_horizon;
  const double step = output.rollout_step;
  if (step <= horizon && horizon <= kMostSteps * step) return {};
  return "output.rollout_step is " + std::to_string(step) + " and output.rollout_horizon " +
         std::to_string(horizon) + "; expected a step of at most the horizon";
}

}  // namespace ovf_ros
