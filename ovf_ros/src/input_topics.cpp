#include "ovf_ros/input_topics.hpp"

#include <algorithm>
#include <map>

#include "ovf/recording/message_input.hpp"

namespace ovf_ros {
namespace {

template <typename List>
bool has(const List& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

std::vector<InputTopic> input_topics(
    const ovf::EstimatorConfig& config,
    const std::function<std::string(const std::string&)>& resolve) {
  std::vector<InputTopic> topics;
  std::map<std::string, std::size_t> places;
  const auto add = [&](const InputTopic& topic) {
    const auto [found, is_new] = places.emplace(resolve(topic.name), topics.size());
    if (is_new) {
      topics.push_back(topic);
      return;
    }
    InputTopic& shared = topics[found->second];
    shared.takers.push_back(topic.takers.front());
    for (const std::string& type : topic.usual_types) {
      if (!has(shared.usual_types, type)) shared.usual_types.push_back(type);
    }
  };
  if (config.motion.control != ovf::ControlKind::kNone) {
    const std::string& name = config.motion.control_topic;
    add({name.empty() ? "control" : name,
         {-1},
         ovf::usual_control_types(config.motion),
         "motion.control_topic"});
  }
  for (std::size_t i = 0; i < config.sensors.size(); ++i) {
    const ovf::SensorConfig& sensor = config.sensors[i];
    add({sensor.topic.empty() ? sensor.name : sensor.topic,
         {static_cast<int>(i)},
         ovf::usual_types(sensor.kind),
         sensor.name + ".topic"});
  }
  return topics;
}

std::string choose_type(const InputTopic& topic, const std::string& current,
                        const std::vector<std::string>& published) {
  if (!current.empty() && has(published, current)) return current;
  for (const std::string& type : topic.usual_types) {
    if (has(published, type)) return type;
  }
  for (const std::string& type : ovf::known_message_types()) {
    if (has(published, type)) return type;
  }
  return {};
}

}  // namespace ovf_ros
