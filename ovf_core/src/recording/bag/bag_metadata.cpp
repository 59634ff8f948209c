#include "recording/bag/bag_metadata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

#include "recording/bag/metadata_tree.hpp"

namespace ovf {
namespace {

using Kind = MetadataNode::Kind;

std::string text_of(const MetadataNode& map, const char* key) {
  const MetadataNode* node = map.find(key);
  return node != nullptr && node->kind == Kind::kScalar ? node->text : std::string();
}

// Text up to version 8, YAML itself since.
std::string qos_of(const MetadataNode& topic) {
  const MetadataNode* node = topic.find("offered_qos_profiles");
  if (node == nullptr) return {};
  return node->kind == Kind::kScalar ? node->text : metadata_text(*node);
}

std::string topic_text(const Topic& topic, std::uint64_t count) {
  return fmt::format(
      "    - topic_metadata:\n"
      "        name: {}\n"
      "        type: {}\n"
      "        serialization_format: {}\n"
      "        offered_qos_profiles: {}\n"
      "      message_count: {}\n",
      yaml_quoted(topic.name), yaml_quoted(topic.type), yaml_quoted(topic.encoding),
      yaml_quoted(topic.qos), count);
}

}  // namespace

BagMetadata parse_bag_metadata(const std::string& text, const std::string& source_name) {
  const MetadataNode root = parse_metadata_tree(text, source_name);
  const MetadataNode* bag = root.find("rosbag2_bagfile_information");
  const MetadataNode* files = bag == nullptr ? nullptr : bag->find("relative_file_paths");
  if (files == nullptr) {
    throw RecordingError(fmt::format(
        "{}: has no relative_file_paths under rosbag2_bagfile_information", source_name));
  }
  BagMetadata metadata;
  for (const MetadataNode& file : files->children) metadata.files.push_back(file.text);
  metadata.compression_format = text_of(*bag, "compression_format");
  metadata.compression_mode = text_of(*bag, "compression_mode");
  std::transform(metadata.compression_mode.begin(), metadata.compression_mode.end(),
                 metadata.compression_mode.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (const MetadataNode* topics = bag->find("topics_with_message_count")) {
    for (const MetadataNode& entry : topics->children) {
      const MetadataNode* topic = entry.find("topic_metadata");
      if (topic == nullptr) continue;
      metadata.topics.push_back({.name = text_of(*topic, "name"),
                                 .type = text_of(*topic, "type"),
                                 .encoding = text_of(*topic, "serialization_format"),
                                 .qos = qos_of(*topic)});
    }
  }
  return metadata;
}

std::string bag_metadata_text(const BagSummary& summary) {
  const auto count =
      std::accumulate(summary.counts.begin(), summary.counts.end(), std::uint64_t{0});
  // rosbag2 reads times as unsigned numbers.
  const auto start =
      static_cast<std::uint64_t>(count == 0 ? 0 : std::max<std::int64_t>(summary.first_time, 0));
  const auto end =
      static_cast<std::uint64_t>(count == 0 ? 0 : std::max<std::int64_t>(summary.last_time, 0));
  std::string topics;
  for (std::size_t i = 0; i < summary.topics.size(); ++i) {
    topics += topic_text(summary.topics[i], summary.counts[i]);
  }
  return fmt::format(
      "rosbag2_bagfile_information:\n"
      "  version: 5\n"
      "  storage_identifier: mcap\n"
      "  duration:\n"
      "    nanoseconds: {duration}\n"
      "  starting_time:\n"
      "    nanoseconds_since_epoch: {start}\n"
      "  message_count: {count}\n"
      "  topics_with_message_count:{topics}"
      "  compression_format: \"\"\n"
      "  compression_mode: \"\"\n"
      "  relative_file_paths:\n"
      "    - {file}\n"
      "  files:\n"
      "    - path: {file}\n"
      "      starting_time:\n"
      "        nanoseconds_since_epoch: {start}\n"
      "      duration:\n"
      "        nanoseconds: {duration}\n"
      "      message_count: {count}\n",
      fmt::arg("duration", end - start), fmt::arg("start", start), fmt::arg("count", count),
      fmt::arg("topics", topics.empty() ? " []\n" : fmt::format("\n{}", topics)),
      fmt::arg("file", yaml_quoted(summary.file)));
}

}  // namespace ovf
