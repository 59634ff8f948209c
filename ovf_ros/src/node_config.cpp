#include "ovf_ros/node_config.hpp"

#include <algorithm>
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

void check_rollouts(const ovf::OutputConfig& output) {
  const double horizon = output.rollout_horizon;
  const double step = output.rollout_step;
  if (step <= horizon && horizon <= kMostSteps * step) return;
  throw std::invalid_argument("output.rollout_step is " + std::to_string(step) +
                              " and output.rollout_horizon " + std::to_string(horizon) +
                              "; expected a step of at most the horizon");
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
                                       ParameterChecks& checks,
                                       const std::vector<rclcpp::Parameter>& changes) {
  NodeParameters out;
  RosParameters visitor(parameters, checks, changes);
  visit(visitor, out.node);
  const std::vector<std::string> names = visitor.names("sensors");
  if (ovf::kSensorNames.contains(names)) {
    check_names(names);
    for (const std::string& name : names) out.estimator.sensors.emplace_back().name = name;
  }
  visit(visitor, out.estimator);
  visitor.finish();
  ovf::validate(out.estimator);
  check_rollouts(out.estimator.output);
  return out;
}

bool is_live(const std::string& key, const std::vector<ovf::SensorConfig>& sensors) {
  if (key == "learning" || key == "publish_tf") return true;
  if (key.starts_with("output.")) return !key.ends_with("_frame");
  return std::any_of(sensors.begin(), sensors.end(),
                     [&](const ovf::SensorConfig& sensor) { return key == sensor.name + ".gate"; });
}

}  // namespace ovf_ros
