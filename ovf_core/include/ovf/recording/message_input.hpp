#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf/estimator/messages.hpp"
#include "ovf/recording/recording.hpp"
#include "ovf/recording/sensed.hpp"
#include "ovf/recording/to_measurements.hpp"

namespace ovf {

/// What a message of any known type says. Messages without a stamp, or with one of zero, take the
/// time of the recorder. Throws RecordingError on a type that no sensor can take, or bad bytes.
Sensed sense_message(const std::string& type, std::span<const std::byte> bytes,
                     std::int64_t log_time);
/// Types that sense_message knows.
const std::vector<std::string>& known_message_types();
/// Of these, what the messages of a sensor of this kind, and controls, usually are, the likeliest
/// first.
std::vector<std::string> usual_types(SensorKind kind);
std::vector<std::string> usual_control_types(const MotionConfig& motion);

/// One sensor of the configuration, or the control, and the topic that feeds it.
struct TopicUse {
  std::string topic = {};
  std::string type = {};
  std::string sensor = {};  ///< empty: the control
  long messages = 0;
  /// Messages that had nothing for the sensor, by the reason.
  std::map<std::string, long> unused = {};
  /// What was wrong with the first one whose bytes are no message.
  std::string first_error = {};
};

/// From a recording's messages to those of an estimator.
class MessageInput {
 public:
  /// A sensor whose topic is not configured takes the topic of its name or, if there is none, the
  /// only one of a type that its kind usually has. Throws std::invalid_argument if a topic that the
  /// configuration needs is missing, ambiguous, or of a type or definition that cannot be read; it
  /// lists the topics that there are.
  MessageInput(const EstimatorConfig& config, const std::vector<Topic>& topics);

  /// Names of the topics that are used.
  std::vector<std::string> topics() const;
  /// Appends what a recorded message brings. Bytes that are no message count as unused.
  void read(const RecordedMessage& message, std::vector<Message>& out);
  const std::vector<TopicUse>& uses() const { return uses_; }
  const MessageConversion& conversion() const { return conversion_; }

 private:
  void use(const std::vector<Topic>& topics, int sensor);

  EstimatorConfig config_;
  MessageConversion conversion_;
  std::vector<TopicUse> uses_;
  std::vector<int> sensors_;  // of each use; -1: the control
  std::map<int, std::vector<std::size_t>> uses_of_topic_;
  std::map<int, std::string> type_of_topic_;
};

}  // namespace ovf
