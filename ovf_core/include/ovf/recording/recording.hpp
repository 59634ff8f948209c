#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace ovf {

/// A recording that cannot be read or written: the file, the place, what is wrong, what to do.
class RecordingError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One stream of messages of a recording.
struct Topic {
  std::string name = {};  ///< /odom
  std::string type = {};  ///< nav_msgs/msg/Odometry
  std::string encoding = "cdr";
  /// Text of the message's definition, those of its parts after it; empty: not recorded.
  std::string definition = {};
  std::string definition_encoding = {};  ///< ros2msg, ros2idl
  std::string qos = {};                  ///< offered profiles, YAML as rosbag2 writes it
};

/// Nanoseconds since 1970, as the recorder's clock had them.
struct RecordedMessage {
  int topic = -1;  ///< index among the recording's topics
  std::int64_t log_time = 0;
  std::int64_t publish_time = 0;
  /// Valid until the next call of the reader.
  std::span<const std::byte> data = {};
};

/// Which part of a recording to read.
struct ReadOptions {
  /// Names; empty: all.
  std::vector<std::string> topics = {};
  /// Log times from `start` on and before `end`.
  std::int64_t start = INT64_MIN;
  std::int64_t end = INT64_MAX;
};

/// Messages in the order of their log times, read as they are asked for: memory does not grow with
/// the length of the recording. Files are not trusted: whatever they hold, the result is messages
/// or a RecordingError.
class RecordingReader {
 public:
  virtual ~RecordingReader() = default;

  /// All topics of the recording, also those that the options leave out.
  virtual const std::vector<Topic>& topics() const = 0;
  /// Log time of the first and last message as far as the file says so before it is read; first >
  /// last: not known, or there are none.
  virtual std::int64_t first_time() const = 0;
  virtual std::int64_t last_time() const = 0;
  /// Messages on all topics as far as the file says so; 0: not known, or there are none.
  virtual std::uint64_t message_count() const = 0;
  /// False at the end.
  virtual bool next(RecordedMessage& message) = 0;
  /// What was wrong and could be got over, such as a file that breaks off; grows while reading.
  virtual const std::vector<std::string>& warnings() const = 0;
};

/// A rosbag2 folder (with or without metadata.yaml), or a single .mcap or .db3 file. Throws
/// RecordingError.
std::unique_ptr<RecordingReader> open_recording(const std::filesystem::path& path,
                                                const ReadOptions& options = {});

class RecordingWriter {
 public:
  virtual ~RecordingWriter() = default;

  /// The topic's index.
  virtual int add_topic(const Topic& topic) = 0;
  /// Throws RecordingError, for example when the disk is full; what was written before stays
  /// readable.
  virtual void write(const RecordedMessage& message) = 0;
  /// Completes the file; without it a reader finds an unfinished recording.
  virtual void close() = 0;
};

}  // namespace ovf
