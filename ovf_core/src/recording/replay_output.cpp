#include "recording/replay_output.hpp"

#include <cmath>

#include "ovf/recording/cdr.hpp"
#include "ovf/recording/estimator_messages.hpp"
#include "ovf/recording/message_definition.hpp"
#include "ovf/recording/recording_folder.hpp"
#include "recording/trajectory_text.hpp"

namespace ovf {
namespace {

Stamp nanoseconds(double seconds) { return static_cast<Stamp>(std::llround(seconds * 1e9)); }

// A time of the data at which something is due: now, if there was none or the clock was set back.
bool is_due(Stamp now, double period, Stamp& next) {
  if (period <= 0.0) return false;
  const Stamp step = nanoseconds(period);
  if (now < next && next - now <= step) return false;
  next = now + step;
  return true;
}

}  // namespace

template <typename M>
int ReplayOutput::add_topic(const char* name) {
  return recording_->add_topic({.name = name,
                                .type = M::kType,
                                .definition = definition<M>(),
                                .definition_encoding = "ros2msg"});
}

template <typename M>
void ReplayOutput::publish(int topic, const M& message) {
  encode(message, bytes_);
  recording_->write(
      {.topic = topic, .log_time = log_time_, .publish_time = log_time_, .data = bytes_});
}

ReplayOutput::ReplayOutput(const std::filesystem::path& folder, const Estimator& estimator)
    : recording_(create_recording(folder / "estimates")),
      has_pose_(estimator.config().motion.kind != MotionKind::kJoints),
      posterior_(add_topic<ros::Posterior>("/ovf/posterior")),
      odometry_(add_topic<ros::Odometry>("/ovf/odometry")),
      rollout_(add_topic<ros::Rollout>("/ovf/rollout")),
      rollout_path_(add_topic<ros::Path>("/ovf/rollout_path")),
      parameters_(add_topic<ros::ModelParameters>("/ovf/parameters")),
      status_(add_topic<ros::FilterStatus>("/ovf/status")),
      tf_(add_topic<ros::TFMessage>("/tf")),
      tum_(folder / "trajectory.tum"),
      trajectory_csv_(folder / "trajectory.csv"),
      parameters_csv_(folder / "parameters.csv"),
      updates_csv_(folder / "updates.csv"),
      events_csv_(folder / "events.csv") {
  trajectory_csv_.print("{}", kTrajectoryHeader);
  updates_csv_.print("stamp,sensor,target,outcome,elbo_increment,nis,numbers,gate\n");
  events_csv_.print("stamp,event,sensor,value\n");
  tf_message_.transforms.resize(1);
}

void ReplayOutput::write(const Estimator& estimator, const Message& message,
                         const EstimatorResult& result, std::int64_t log_time) {
  log_time_ = log_time;
  relbo_ = result.elbo;
  ros::SensorUpdate& update = posterior_message_.updates.emplace_back();
  fill_update(message, result, update);
  updates_csv_.print("{},{},{},{},{},{},{},{}\n", stamp_of(message), update.sensor, update.target,
                     update.outcome, update.elbo_increment, update.nis, update.innovation.size(),
                     update.gate);
  for (const Event& event : result.events) {
    status_message_.events.push_back(event_text(estimator, event));
    events_csv_.print("{},{},{},{}\n", estimator.stamp(), to_string(event.kind),
                      event.sensor < 0
                          ? ""
                          : estimator.config().sensors[static_cast<std::size_t>(event.sensor)].name,
                      event.value);
  }
  if (!estimator.initialised()) return;

  fill_posterior(estimator, relbo_, posterior_message_);
  publish(posterior_, posterior_message_);
  posterior_message_.updates.clear();
  const OutputConfig& periods = estimator.config().output;
  const Stamp now = estimator.stamp();
  if (has_pose_ && moved_belief(result)) write_pose(estimator);
  if (has_pose_ && is_due(now, periods.rollout_period, next_rollout_)) write_rollout(estimator);
  if (is_due(now, periods.parameters_period, next_parameters_)) write_parameters(estimator);
  if (is_due(now, periods.status_period, next_status_)) write_status(estimator);
}

void ReplayOutput::write_pose(const Estimator& estimator) {
  const BodyBelief body = body_belief(estimator);
  fill_odometry(estimator, body, odometry_message_);
  publish(odometry_, odometry_message_);
  // One transform per stamp: listeners complain of more.
  const bool is_new = !started_ || estimator.stamp() != last_;
  started_ = true;
  last_ = estimator.stamp();
  if (is_new) {
    fill_transform(estimator, body, tf_message_.transforms.front());
    publish(tf_, tf_message_);
  }
  tum_.print("{}", tum_line(last_, body));
  trajectory_csv_.print("{}", trajectory_line(last_, body));
}

void ReplayOutput::write_rollout(const Estimator& estimator) {
  const Rollout rollout = estimator.rollout(estimator.config().output.rollout());
  fill_rollout(estimator, rollout, rollout_message_);
  publish(rollout_, rollout_message_);
  fill_path(rollout_message_, path_message_);
  publish(rollout_path_, path_message_);
}

void ReplayOutput::write_parameters(const Estimator& estimator) {
  const bool first = parameters_message_.names.empty();
  fill_parameters(estimator, parameters_message_);
  publish(parameters_, parameters_message_);
  if (first) {
    parameters_csv_.print("stamp");
    for (const std::string& name : parameters_message_.names) {
      parameters_csv_.print(",{},{} deviation", name, name);
    }
    parameters_csv_.print("\n");
  }
  parameters_csv_.print("{}", estimator.stamp());
  for (std::size_t i = 0; i < parameters_message_.values.size(); ++i) {
    parameters_csv_.print(",{},{}", parameters_message_.values[i],
                          parameters_message_.standard_deviations[i]);
  }
  parameters_csv_.print("\n");
}

void ReplayOutput::write_status(const Estimator& estimator) {
  fill_status(estimator, relbo_, status_message_);
  publish(status_, status_message_);
  status_message_.events.clear();
}

void ReplayOutput::close(const Estimator& estimator) {
  if (estimator.initialised()) {
    write_parameters(estimator);
    write_status(estimator);
  }
  recording_->close();
  for (TextFile* file : {&tum_, &trajectory_csv_, &parameters_csv_, &updates_csv_, &events_csv_}) {
    file->close();
  }
}

}  // namespace ovf
