#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "ovf/estimator/estimator.hpp"
#include "ovf/recording/recording.hpp"
#include "ovf/recording/ros_messages.hpp"
#include "recording/text_file.hpp"

namespace ovf {

/// The files of a replay that grow with it.
class ReplayOutput {
 public:
  ReplayOutput(const std::filesystem::path& folder, const Estimator& estimator);

  /// After each message of the estimator; log_time is that of the recorded one.
  void write(const Estimator& estimator, const Message& message, const EstimatorResult& result,
             std::int64_t log_time);
  void close(const Estimator& estimator);

 private:
  /// A topic of the recording, and its bytes.
  template <typename M>
  void publish(int topic, const M& message);
  template <typename M>
  int add_topic(const char* name);
  void write_pose(const Estimator& estimator);
  void write_rollout(const Estimator& estimator);
  void write_parameters(const Estimator& estimator);
  void write_status(const Estimator& estimator);

  std::unique_ptr<RecordingWriter> recording_;
  bool has_pose_;
  int posterior_, odometry_, rollout_, rollout_path_, parameters_, status_, tf_;
  TextFile tum_, trajectory_csv_, parameters_csv_, updates_csv_, events_csv_;
  std::int64_t log_time_ = 0;
  double relbo_ = 0.0;
  bool started_ = false;
  Stamp next_rollout_ = 0;
  Stamp next_parameters_ = 0;
  Stamp next_status_ = 0;
  Stamp last_ = 0;
  // Their memory serves message after message.
  std::vector<std::byte> bytes_;
  ros::Posterior posterior_message_;
  ros::Odometry odometry_message_;
  ros::TFMessage tf_message_;
  ros::Rollout rollout_message_;
  ros::Path path_message_;
  ros::ModelParameters parameters_message_;
  ros::FilterStatus status_message_;
};

}  // namespace ovf
