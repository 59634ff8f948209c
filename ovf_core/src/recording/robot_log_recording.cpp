#include "ovf/recording/robot_log_recording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "ovf/recording/cdr.hpp"
#include "ovf/recording/message_definition.hpp"
#include "ovf/recording/recording_folder.hpp"
#include "ovf/recording/robot_messages.hpp"
#include "ovf/recording/ros_messages.hpp"

namespace ovf {
namespace {

struct RecordedTypes {
  using Odometry = ros::Odometry;
  using VectorObservation = ros::VectorObservation;
  using RangeBearingArray = ros::RangeBearingArray;
  using NavSatFix = ros::NavSatFix;
  using Imu = ros::Imu;
};

/// Where the messages of a robot go: a topic for each RobotTopic, in their order.
class LogRecorder {
 public:
  LogRecorder(const std::filesystem::path& folder, Stamp start)
      : writer_(create_recording(folder)), start_(start) {
    add<ros::Odometry>("/odom");
    add<ros::VectorObservation>("/uwb");
    add<ros::RangeBearingArray>("/landmarks");
    add<ros::NavSatFix>("/fix");
    add<ros::Imu>("/imu/data");
    add<ros::Odometry>("/ground_truth");
  }

  template <typename M>
  void operator()(RobotTopic topic, Stamp stamp, const M& message) {
    encode(message, bytes_);
    const Stamp time = start_ + stamp;
    writer_->write({.topic = topics_[static_cast<std::size_t>(topic)],
                    .log_time = time,
                    .publish_time = time,
                    .data = bytes_});
  }
  void close() { writer_->close(); }

 private:
  template <typename M>
  void add(const char* name) {
    topics_.push_back(writer_->add_topic({.name = name,
                                          .type = M::kType,
                                          .definition = definition<M>(),
                                          .definition_encoding = "ros2msg"}));
  }

  std::unique_ptr<RecordingWriter> writer_;
  Stamp start_;
  std::vector<int> topics_;
  std::vector<std::byte> bytes_;
};

// Stamps of messages are seconds in 32 bits: they end in 2038.
constexpr Stamp kLastRecordedStamp = Stamp{INT32_MAX} * 1'000'000'000;

void require_recordable(Stamp stamp, Stamp start) {
  if (stamp >= -start && stamp <= kLastRecordedStamp - start) return;
  throw std::invalid_argument(
      fmt::format("a log with the stamp {} ns, which a recording that starts at {} ns cannot have; "
                  "expected a time from 1970 to 2038",
                  stamp, start));
}

void require_size(const char* what, const Eigen::VectorXd& values, Eigen::Index size) {
  if (values.size() >= size) return;
  throw std::invalid_argument(fmt::format(
      "a log with a message of {} that has {} numbers; expected {}", what, values.size(), size));
}

void require_recordable(const Message& message, Stamp start) {
  require_recordable(stamp_of(message), start);
  if (const auto* control = std::get_if<Control>(&message)) {
    require_size("control", control->u, 2);
  } else {
    const auto& measurement = std::get<Measurement>(message);
    const bool has_two = measurement.sensor == "camera" || measurement.sensor == "gnss";
    require_size(measurement.sensor.c_str(), measurement.y, has_two ? 2 : 1);
  }
}

}  // namespace

Stamp start_of_recording(const RobotLog& log) {
  const RobotLogRecordingOptions usual;
  // A clock that counts from 1970 already, and not from when the robot was switched on.
  constexpr Stamp kYear = Stamp{365} * 24 * 3600 * 1'000'000'000;
  const bool since_1970 = !log.messages.empty() && stamp_of(log.messages.front()) > 10 * kYear;
  return since_1970 ? 0 : usual.start;
}

void write_recording(const std::filesystem::path& folder, const RobotLog& log,
                     const RobotLogRecordingOptions& options) {
  for (const Message& message : log.messages) require_recordable(message, options.start);
  for (const TruePose& pose : log.truth) require_recordable(pose.stamp, options.start);
  LogRecorder recorder(folder, options.start);
  RobotMessages<RecordedTypes> messages(options.start, options.origin);
  const auto send = [&](RobotTopic topic, Stamp stamp, const auto& message) {
    recorder(topic, stamp, message);
  };
  std::size_t next = 0;
  const auto write_truth_before = [&](Stamp stamp) {
    for (; next < log.truth.size() && log.truth[next].stamp <= stamp; ++next) {
      messages.take(log.truth[next], send);
    }
  };
  for (const Message& message : log.messages) {
    std::visit([&](const auto& m) { messages.take(m, send); }, message);
    write_truth_before(stamp_of(message));
  }
  messages.flush(send);
  write_truth_before(kLastRecordedStamp);
  recorder.close();
}

std::string landmarks_yaml(const RobotLog& log, const GeodeticPoint& origin) {
  std::vector<int> ids;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> z;
  for (const Landmark& landmark : log.landmarks) {
    ids.push_back(landmark.id);
    x.push_back(landmark.position.x());
    y.push_back(landmark.position.y());
    z.push_back(landmark.position.z());
  }
  // A whole number must not look like an integer: ROS would take it for one.
  const auto numbers = [](const std::vector<double>& values) {
    std::vector<std::string> texts;
    for (const double value : values) {
      std::string text = fmt::format("{}", value);
      if (text.find_first_of(".e") == std::string::npos) text += ".0";
      texts.push_back(std::move(text));
    }
    return fmt::format("[{}]", fmt::join(texts, ", "));
  };
  return fmt::format(
      "/**:\n  ros__parameters:\n    landmarks:\n      ids: [{}]\n      x: {}\n      y: {}\n      "
      "z: {}\n    gnss_origin: {}\n",
      fmt::join(ids, ", "), numbers(x), numbers(y), numbers(z),
      numbers({origin.latitude, origin.longitude, origin.altitude}));
}

}  // namespace ovf
