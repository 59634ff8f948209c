#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "ovf/recording/recording.hpp"
#include "recording/mcap/mcap_records.hpp"
#include "recording/mcap/mcap_warnings.hpp"

namespace ovf::mcap {

/// The schemas and channels of a file, and the topics they come to.
class TopicTable {
 public:
  void add(Schema schema, Warnings& warnings);
  void add(Channel channel, Warnings& warnings);

  bool has_channel(std::uint16_t id) const { return channels_.contains(id); }
  const std::map<std::uint16_t, Channel>& channels() const { return channels_; }
  /// Whether every channel's schema is there.
  bool whole() const;

  /// Channels of one name, type and encoding are one topic. To be called when all are added.
  void build(Warnings& warnings);
  const std::vector<Topic>& topics() const { return topics_; }
  /// -1: no such channel.
  int topic_of(std::uint16_t channel) const;

 private:
  bool make_room(std::uint64_t text, Warnings& warnings);
  Topic topic_of(const Channel& channel, Warnings& warnings) const;

  // By id, so that the order of the topics does not depend on how the file was read.
  std::map<std::uint16_t, Schema> schemas_ = {};
  std::map<std::uint16_t, Channel> channels_ = {};
  std::uint64_t text_ = 0;
  std::vector<Topic> topics_ = {};
  std::vector<int> topic_of_channel_ = {};
};

}  // namespace ovf::mcap
