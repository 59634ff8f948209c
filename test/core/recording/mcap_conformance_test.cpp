// The conformance suite of MCAP, where the environment variable OVF_MCAP_CONFORMANCE_DIR names a
// folder that has it: pairs of NAME.mcap and of NAME.json, which says what is in it, as in
// tests/conformance/data of the repository foxglove/mcap. Its MCAP files are in Git LFS; the script
// generate-inputs.ts beside them makes them with npm's @mcap/core.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ovf/recording/recording.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// What a message is to a reader, in words, so that a difference is readable.
std::string message_text(const std::string& topic, std::int64_t log_time, std::int64_t publish_time,
                         const std::vector<int>& data) {
  std::string text = topic + " " + std::to_string(log_time) + " " + std::to_string(publish_time);
  for (const int byte : data) text += " " + std::to_string(byte);
  return text;
}

std::string topic_text(const std::string& name, const std::string& encoding,
                       const std::string& type, const std::string& definition) {
  return name + " " + encoding + " " + type + " '" + definition + "'";
}

json field(const json& record, const std::string& name) {
  for (const json& each : record.at("fields")) {
    if (each.at(0) == name) return each.at(1);
  }
  return {};
}

std::int64_t integer(const json& value) { return std::stoll(value.get<std::string>()); }

std::vector<int> bytes(const json& value) {
  std::vector<int> all;
  for (const json& each : value) all.push_back(static_cast<int>(integer(each)));
  return all;
}

struct Content {
  std::vector<std::string> topics = {};
  std::vector<std::string> messages = {};
};

Content expected(const fs::path& path) {
  std::ifstream file(path);
  const json description = json::parse(file);
  std::map<std::int64_t, json> schemas;
  std::map<std::int64_t, json> channels;
  Content content;
  std::vector<std::pair<std::int64_t, std::string>> messages;
  for (const json& record : description.at("records")) {
    const auto type = record.at("type").get<std::string>();
    if (type == "Schema") schemas[integer(field(record, "id"))] = record;
    if (type == "Channel") channels[integer(field(record, "id"))] = record;
    if (type == "Message") {
      const json& channel = channels.at(integer(field(record, "channel_id")));
      const std::int64_t time = integer(field(record, "log_time"));
      messages.emplace_back(
          time, message_text(field(channel, "topic"), time, integer(field(record, "publish_time")),
                             bytes(field(record, "data"))));
    }
  }
  // Messages of chunks come in the order of their log times, those outside of chunks, as they are
  // read while they are found, in that of the file.
  const json& features = description.at("meta").at("variant").at("features");
  if (std::find(features.begin(), features.end(), "ch") != features.end()) {
    std::stable_sort(messages.begin(), messages.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  for (const auto& [time, text] : messages) content.messages.push_back(text);
  for (const auto& [id, channel] : channels) {
    const std::int64_t schema = integer(field(channel, "schema_id"));
    std::string type;
    std::string definition;
    if (schema != 0) {
      type = field(schemas.at(schema), "name");
      for (const int byte : bytes(field(schemas.at(schema), "data"))) {
        definition.push_back(static_cast<char>(byte));
      }
    }
    content.topics.push_back(
        topic_text(field(channel, "topic"), field(channel, "message_encoding"), type, definition));
  }
  return content;
}

Content found(const fs::path& path) {
  Content content;
  const auto reader = open_recording(path);
  RecordedMessage message;
  while (reader->next(message)) {
    std::vector<int> data;
    for (const std::byte byte : message.data) data.push_back(std::to_integer<int>(byte));
    content.messages.push_back(
        message_text(reader->topics().at(static_cast<std::size_t>(message.topic)).name,
                     message.log_time, message.publish_time, data));
  }
  for (const Topic& topic : reader->topics()) {
    content.topics.push_back(topic_text(topic.name, topic.encoding, topic.type, topic.definition));
  }
  for (const std::string& warning : reader->warnings()) {
    if (warning.find("not in the order of their log times") != std::string::npos) continue;
    content.topics.push_back("warning: " + warning);
  }
  return content;
}

TEST(McapConformance, ReadsEveryVariantAsDescribed) {
  const char* folder = std::getenv("OVF_MCAP_CONFORMANCE_DIR");
  if (folder == nullptr) {
    GTEST_SKIP() << "OVF_MCAP_CONFORMANCE_DIR names no folder with MCAP's conformance suite";
  }
  int variants = 0;
  int right = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".mcap") continue;
    ++variants;
    fs::path description = entry.path();
    description.replace_extension(".json");
    try {
      const Content is = found(entry.path());
      const Content should = expected(description);
      EXPECT_EQ(is.messages, should.messages) << entry.path();
      EXPECT_EQ(is.topics, should.topics) << entry.path();
      if (is.messages == should.messages && is.topics == should.topics) ++right;
    } catch (const std::exception& error) {
      ADD_FAILURE() << entry.path() << ": " << error.what();
    }
  }
  EXPECT_GT(variants, 0) << folder << " has no .mcap file";
  EXPECT_EQ(right, variants);
  RecordProperty("variants", variants);
  RecordProperty("right", right);
}

}  // namespace
}  // namespace ovf
