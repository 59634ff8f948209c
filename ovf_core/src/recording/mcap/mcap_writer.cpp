#include "ovf/recording/mcap_writer.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "recording/mcap/mcap_chunk_builder.hpp"
#include "recording/mcap/mcap_output.hpp"
#include "recording/mcap/mcap_tail.hpp"

namespace ovf {
namespace {

using mcap::Op;
using mcap::RecordBytes;
using mcap::TimeSpan;

// A chunk has at most this and one message, which is half of what a reader takes.
constexpr std::size_t kLargestChunk = mcap::kLongestRecord / 4;
constexpr std::size_t kLongestMessage = mcap::kLongestRecord / 4;

std::uint16_t channel_id(std::size_t topic) { return static_cast<std::uint16_t>(topic + 1); }

RecordBytes schema_record(std::uint16_t id, const Topic& topic) {
  RecordBytes schema;
  schema.begin(Op::kSchema);
  schema.u16(id);
  schema.text(topic.type);
  schema.text(topic.definition_encoding);
  schema.text(topic.definition);
  schema.end();
  return schema;
}

RecordBytes channel_record(std::uint16_t id, std::uint16_t schema, const Topic& topic) {
  RecordBytes metadata;
  metadata.text("offered_qos_profiles");
  metadata.text(topic.qos);
  RecordBytes channel;
  channel.begin(Op::kChannel);
  channel.u16(id);
  channel.u16(schema);
  channel.text(topic.name);
  channel.text(topic.encoding);
  channel.u32(static_cast<std::uint32_t>(metadata.size()));
  channel.bytes(metadata.view());
  channel.end();
  return channel;
}

/// Schemas and channels go into the file as they come, in front of the chunk that is being filled:
/// should that one get lost, the topics are there all the same.
class McapWriter final : public RecordingWriter {
 public:
  McapWriter(const std::filesystem::path& path, const McapOptions& options)
      : options_(options), file_(path) {
    RecordBytes header;
    header.bytes(std::as_bytes(std::span(mcap::kMagic)));
    header.begin(Op::kHeader);
    header.text("ros2");
    header.text("ovf");
    header.end();
    file_.write(header.view());
  }

  ~McapWriter() override {
    if (closed_ || file_.failed()) return;
    try {
      flush_chunk();
    } catch (const std::exception&) {
      return;  // nobody is left to hear of it; the file is readable up to there
    }
  }
  McapWriter(const McapWriter&) = delete;
  McapWriter& operator=(const McapWriter&) = delete;

  int add_topic(const Topic& topic) override;
  void write(const RecordedMessage& message) override;
  void close() override;

 private:
  using ThreeTexts = std::tuple<std::string, std::string, std::string>;

  void require(bool condition, const std::string& complaint) const {
    if (condition) return;
    throw std::invalid_argument(fmt::format("{}: {}", file_.path().string(), complaint));
  }
  void require_topic(const Topic& topic) const;
  std::uint16_t schema_of(const Topic& topic);
  void flush_chunk();
  RecordBytes statistics() const;

  McapOptions options_;
  mcap::OutputFile file_;
  bool closed_ = false;
  std::set<ThreeTexts> topics_ = {};                     // name, type, encoding
  std::map<ThreeTexts, std::uint16_t> schema_ids_ = {};  // by type, its encoding, definition
  std::vector<std::uint64_t> counts_ = {};               // messages of each topic
  TimeSpan times_ = {};
  mcap::ChunkBuilder chunk_ = {};
  std::uint32_t chunks_ = 0;
  mcap::SummaryRecords summary_ = {};
};

void McapWriter::require_topic(const Topic& topic) const {
  require(!closed_, fmt::format("topic {} comes after close()", topic.name));
  require(!topic.name.empty(), "a topic needs a name");
  require(counts_.size() < std::numeric_limits<std::uint16_t>::max(),
          fmt::format("topic {} is one too many", topic.name));
  require(!topics_.contains({topic.name, topic.type, topic.encoding}),
          fmt::format("topic {} is there already", topic.name));
  std::uint64_t text = summary_.schemas.size() + summary_.channels.size();
  for (const std::string* part : {&topic.name, &topic.type, &topic.encoding, &topic.definition,
                                  &topic.definition_encoding, &topic.qos}) {
    text += part->size();
  }
  require(text <= mcap::kMostTopicText,
          fmt::format("topics up to {:.200} have {} bytes of text, at most {} are taken",
                      topic.name, text, mcap::kMostTopicText));
}

std::uint16_t McapWriter::schema_of(const Topic& topic) {
  if (topic.type.empty()) return 0;
  const auto next = static_cast<std::uint16_t>(schema_ids_.size() + 1);
  const auto [entry, fresh] =
      schema_ids_.try_emplace({topic.type, topic.definition_encoding, topic.definition}, next);
  if (fresh) {
    const RecordBytes schema = schema_record(next, topic);
    summary_.schemas.bytes(schema.view());
    file_.write(schema.view());
  }
  return entry->second;
}

int McapWriter::add_topic(const Topic& topic) {
  require_topic(topic);
  const RecordBytes channel = channel_record(channel_id(counts_.size()), schema_of(topic), topic);
  summary_.channels.bytes(channel.view());
  file_.write(channel.view());
  topics_.emplace(topic.name, topic.type, topic.encoding);
  counts_.push_back(0);
  return static_cast<int>(counts_.size()) - 1;
}

void McapWriter::write(const RecordedMessage& message) {
  require(!closed_, "a message comes after close()");
  require(message.topic >= 0 && static_cast<std::size_t>(message.topic) < counts_.size(),
          fmt::format("a message is of topic {}, and there are {}", message.topic, counts_.size()));
  require(message.log_time >= 0 && message.publish_time >= 0,
          fmt::format("a message has the times {} and {}: they may not be negative",
                      message.log_time, message.publish_time));
  require(message.data.size() <= kLongestMessage,
          fmt::format("a message has {} bytes, at most {} are taken", message.data.size(),
                      kLongestMessage));
  file_.require_sound();

  const auto topic = static_cast<std::size_t>(message.topic);
  const std::size_t size = mcap::kHeadSize + mcap::kMessageHeadSize + message.data.size();
  if (chunk_.size() + size > options_.chunk_size) flush_chunk();
  const auto log_time = static_cast<std::uint64_t>(message.log_time);
  chunk_.add(
      {channel_id(topic), log_time, static_cast<std::uint64_t>(message.publish_time), message.data},
      static_cast<std::uint32_t>(counts_[topic]));
  ++counts_[topic];
  times_.add(log_time);
}

void McapWriter::flush_chunk() {
  if (chunk_.size() == 0) return;
  file_.write(chunk_.build(options_.compression, file_.size(), summary_.chunk_indexes).view());
  ++chunks_;
}

RecordBytes McapWriter::statistics() const {
  RecordBytes per_channel;
  for (std::size_t topic = 0; topic < counts_.size(); ++topic) {
    per_channel.u16(channel_id(topic));
    per_channel.u64(counts_[topic]);
  }
  RecordBytes out;
  out.begin(Op::kStatistics);
  out.u64(times_.messages);
  out.u16(static_cast<std::uint16_t>(schema_ids_.size()));
  out.u32(static_cast<std::uint32_t>(counts_.size()));
  out.u32(0);  // attachments
  out.u32(0);  // metadata
  out.u32(chunks_);
  out.u64(times_.start);
  out.u64(times_.end);
  out.u32(static_cast<std::uint32_t>(per_channel.size()));
  out.bytes(per_channel.view());
  out.end();
  return out;
}

void McapWriter::close() {
  if (closed_) return;
  flush_chunk();
  summary_.statistics = statistics();
  mcap::write_tail(file_, summary_);
  file_.close();
  closed_ = true;
}

}  // namespace

std::unique_ptr<RecordingWriter> create_mcap(const std::filesystem::path& path,
                                             const McapOptions& options) {
  if (options.chunk_size == 0 || options.chunk_size > kLargestChunk) {
    throw std::invalid_argument(fmt::format("{}: chunk_size: expected 1 to {} bytes, not {}",
                                            path.string(), kLargestChunk, options.chunk_size));
  }
  return std::make_unique<McapWriter>(path, options);
}

}  // namespace ovf
