#include "ovf/evaluation/estimator_run.hpp"

#include <ctime>

#include "evaluation/motion_of_states.hpp"
#include "ovf/estimator/findings.hpp"
#include "ovf/math/log_histogram.hpp"
#include "ovf/recording/estimator_messages.hpp"
#include "recording/trajectory_text.hpp"

namespace ovf {
namespace {

// Of the processor, which other programs do not add to.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

PoseSample pose_of(const Estimator& estimator) {
  const BodyBelief body = body_belief(estimator);
  PoseSample pose{.stamp = estimator.stamp(), .position = body.mean.position};
  pose.orientation = Eigen::Quaterniond(body.mean.rotation);
  pose.covariance = body.pose_covariance;
  pose.has_covariance = true;
  return pose;
}

std::vector<std::string> state_names(const Estimator& estimator) {
  std::vector<std::string> names;
  for (const StateEntry& entry : estimator.layout().entries()) names.push_back(entry.name);
  return names;
}

}  // namespace

EstimatorRun run_estimator(const EstimatorConfig& config, std::span<const Message> messages,
                           const EstimatorRunOptions& options) {
  Estimator estimator(config, processor_seconds);
  if (options.start) start_at_pose(estimator, *options.start);
  const bool has_pose = config.motion.kind != MotionKind::kJoints;
  EstimatorRun run;
  set_motion_of_states(state_names(estimator), run.record);
  LogHistogram latency(1e-7, 100.0);
  for (const Message& message : messages) {
    const EstimatorResult& result = estimator.process(message);
    latency.add(result.seconds);
    if (has_pose && estimator.initialised() && moved_belief(result)) {
      run.record.poses.push_back(pose_of(estimator));
      run.record.relbo.push_back(result.elbo);
    }
    if (options.after) options.after(estimator, message, result);
  }
  constexpr double kMicro = 1e6;
  MachineFigures& machine = run.record.machine;
  machine.mean = kMicro * latency.mean();
  machine.p50 = kMicro * latency.quantile(0.5);
  machine.p95 = kMicro * latency.quantile(0.95);
  machine.p99 = kMicro * latency.quantile(0.99);
  machine.max = kMicro * latency.largest();
  machine.seconds = latency.mean() * static_cast<double>(latency.count());
  run.counters = estimator.counters();
  run.findings = findings(estimator);
  return run;
}

}  // namespace ovf
