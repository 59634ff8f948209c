#include "recording/mcap/mcap_topics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "ovf/config/printable.hpp"

namespace ovf::mcap {
namespace {

// ROS 1, and some writers of ROS 2, leave out the middle of pkg/msg/Type.
std::string ros2_type(const std::string& name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos || name.find('/', slash + 1) != std::string::npos) return name;
  return fmt::format("{}/msg/{}", name.substr(0, slash), name.substr(slash + 1));
}

}  // namespace

bool TopicTable::make_room(std::uint64_t text, Warnings& warnings) {
  if (text <= kMostTopicText - text_) {
    text_ += text;
    return true;
  }
  warnings.add(fmt::format("its topics have more than {} bytes of text: the rest is left out",
                           kMostTopicText));
  return false;
}

void TopicTable::add(Schema schema, Warnings& warnings) {
  const auto found = schemas_.find(schema.id);
  if (found != schemas_.end()) {
    if (found->second != schema) {
      warnings.add(
          fmt::format("schema {} is there twice and differs: the first one counts", schema.id));
    }
    return;
  }
  const std::uint64_t text = schema.name.size() + schema.encoding.size() + schema.data.size();
  const std::uint16_t id = schema.id;
  if (make_room(text, warnings)) schemas_.emplace(id, std::move(schema));
}

void TopicTable::add(Channel channel, Warnings& warnings) {
  const auto found = channels_.find(channel.id);
  if (found != channels_.end()) {
    if (found->second != channel) {
      warnings.add(
          fmt::format("channel {} is there twice and differs: the first one counts", channel.id));
    }
    return;
  }
  const std::uint64_t text = channel.topic.size() + channel.encoding.size() + channel.qos.size();
  const std::uint16_t id = channel.id;
  if (make_room(text, warnings)) channels_.emplace(id, std::move(channel));
}

bool TopicTable::whole() const {
  return std::all_of(channels_.begin(), channels_.end(), [&](const auto& entry) {
    return entry.second.schema == 0 || schemas_.contains(entry.second.schema);
  });
}

Topic TopicTable::topic_of(const Channel& channel, Warnings& warnings) const {
  Topic topic;
  topic.name = channel.topic;
  topic.encoding = channel.encoding;
  topic.qos = channel.qos;
  const auto schema = schemas_.find(channel.schema);
  if (schema != schemas_.end()) {
    topic.type = ros2_type(schema->second.name);
    topic.definition = schema->second.data;
    topic.definition_encoding = schema->second.encoding;
  } else if (channel.schema != 0) {
    warnings.add(fmt::format("schema {} of topic {} is missing: its type is not known",
                             channel.schema, printable(channel.topic)));
  }
  return topic;
}

void TopicTable::build(Warnings& warnings) {
  using Key = std::pair<std::string, std::string>;  // type, encoding
  std::map<std::string, std::map<Key, int>> known;
  std::uint64_t text = 0;
  if (!channels_.empty()) topic_of_channel_.assign(channels_.rbegin()->first + std::size_t{1}, -1);
  for (const auto& [id, channel] : channels_) {
    Topic topic = topic_of(channel, warnings);
    auto& same_name = known[topic.name];
    const auto [entry, fresh] =
        same_name.try_emplace({topic.type, topic.encoding}, static_cast<int>(topics_.size()));
    topic_of_channel_[id] = entry->second;
    if (!fresh) {
      Topic& first = topics_[static_cast<std::size_t>(entry->second)];
      if (first.qos.empty()) first.qos = std::move(topic.qos);
      continue;
    }
    if (same_name.size() > 1) {
      warnings.add(fmt::format("topic {} has several types or encodings, one is {}",
                               printable(topic.name), printable(topic.type)));
    }
    // Many channels may share one schema, and each topic has a copy of the definition.
    text += topic.definition.size();
    if (text > kMostTopicText) topic.definition.clear();
    topics_.push_back(std::move(topic));
  }
}

int TopicTable::topic_of(std::uint16_t channel) const {
  return channel < topic_of_channel_.size() ? topic_of_channel_[channel] : -1;
}

}  // namespace ovf::mcap
