#include "recording/bag/merged_topics.hpp"

namespace ovf {

MergedTopics::MergedTopics(const std::vector<Topic>& listed) {
  for (const Topic& topic : listed) listed_qos_.try_emplace(topic.name, topic.qos);
}

std::vector<int> MergedTopics::translate(const std::vector<Topic>& topics) {
  std::vector<int> indices;
  indices.reserve(topics.size());
  for (const Topic& topic : topics) {
    const auto [found, added] =
        index_.try_emplace({topic.name, topic.type}, static_cast<int>(topics_.size()));
    indices.push_back(found->second);
    if (added) topics_.push_back(topic);
    Topic& merged = topics_[static_cast<std::size_t>(found->second)];
    if (merged.definition.empty()) {
      merged.definition = topic.definition;
      merged.definition_encoding = topic.definition_encoding;
    }
    if (merged.qos.empty()) merged.qos = topic.qos;
    if (merged.qos.empty()) {
      const auto qos = listed_qos_.find(topic.name);
      if (qos != listed_qos_.end()) merged.qos = qos->second;
    }
  }
  return indices;
}

}  // namespace ovf
