#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ovf/recording/mcap_reader.hpp"

namespace ovf::test {

/// What a reader gave of one message.
struct ReadMessage {
  std::string topic = {};
  std::int64_t log_time = 0;
  std::int64_t publish_time = 0;
  std::string data = {};

  bool operator==(const ReadMessage&) const = default;
};

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

inline std::vector<ReadMessage> read_all(RecordingReader& reader) {
  std::vector<ReadMessage> all;
  RecordedMessage message;
  while (reader.next(message)) {
    const auto* data = reinterpret_cast<const char*>(message.data.data());
    all.push_back({reader.topics().at(static_cast<std::size_t>(message.topic)).name,
                   message.log_time, message.publish_time, std::string(data, message.data.size())});
  }
  return all;
}

inline std::string data_of(const std::vector<ReadMessage>& messages) {
  std::string all;
  for (const ReadMessage& message : messages) all += message.data;
  return all;
}

inline void write_bytes(const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::remove(path);  // some file systems take their time to overwrite a file
  std::ofstream(path, std::ios::binary).write(bytes.data(), std::ssize(bytes));
}

/// An MCAP file put together byte by byte, so that the tests have what the writer never writes.
/// Checksums are zero, which stands for none.
class McapText {
 public:
  static std::string number(std::uint64_t value, int size) {
    std::string out;
    for (int k = 0; k < size; ++k) out += static_cast<char>((value >> (8 * k)) & 0xffU);
    return out;
  }
  static std::string text(const std::string& value) { return number(value.size(), 4) + value; }
  static std::string record(int op, const std::string& content) {
    return number(static_cast<std::uint64_t>(op), 1) + number(content.size(), 8) + content;
  }

  static std::string magic() { return std::string("\x89MCAP0\r\n", 8); }
  static std::string head() { return magic() + record(1, text("ros2") + text("test")); }
  static std::string schema(int id, const std::string& name) {
    return record(3, number(static_cast<std::uint64_t>(id), 2) + text(name) + text("ros2msg") +
                         text("float64 x"));
  }
  static std::string channel(int id, int schema, const std::string& topic) {
    return record(4, number(static_cast<std::uint64_t>(id), 2) +
                         number(static_cast<std::uint64_t>(schema), 2) + text(topic) + text("cdr") +
                         text(text("offered_qos_profiles") + text("- depth: 1")));
  }
  static std::string message(int channel, std::uint64_t time, const std::string& data) {
    return record(5, number(static_cast<std::uint64_t>(channel), 2) + number(0, 4) +
                         number(time, 8) + number(time, 8) + data);
  }
  static std::string chunk(const std::string& records, const std::string& compression = "") {
    return chunk(records, compression, records.size());
  }
  static std::string chunk(const std::string& records, const std::string& compression,
                           std::uint64_t size) {
    return record(6, number(0, 8) + number(0, 8) + number(size, 8) + number(0, 4) +
                         text(compression) + number(records.size(), 8) + records);
  }
  static std::string chunk_index(std::uint64_t start, std::uint64_t end, std::uint64_t offset,
                                 std::uint64_t length, std::uint64_t size) {
    return record(8, number(start, 8) + number(end, 8) + number(offset, 8) + number(length, 8) +
                         text("") + number(0, 8) + text("") + number(size, 8) + number(size, 8));
  }
  static std::string data_end() { return record(15, number(0, 4)); }
  static std::string footer(std::uint64_t summary_start = 0) {
    return record(2, number(summary_start, 8) + number(0, 8) + number(0, 4)) + magic();
  }
};

}  // namespace ovf::test
