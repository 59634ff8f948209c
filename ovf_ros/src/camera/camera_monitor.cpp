#include "ovf_ros/camera/camera_monitor.hpp"

#include <cmath>
#include <utility>

namespace ovf_ros {
namespace {

// What happened is told of for so long, in seconds.
constexpr double kRecent = 10.0;

}  // namespace

CameraMonitor::CameraMonitor(std::function<ovf::Stamp()> now) : now_(std::move(now)) {}

void CameraMonitor::configure(bool learning) {
  const std::lock_guard lock(mutex_);
  view_ = {};
  view_.learning = learning;
  latencies_ = LatencyWindow();
}

void CameraMonitor::start() {
  const std::lock_guard lock(mutex_);
  const ovf::Stamp now = now_();
  for (InputCounts* counts : {&pictures_, &steps_, &drops_, &controls_}) counts->start(now);
  failed_.reset();
  set_back_.reset();
  fell_back_.reset();
}

void CameraMonitor::received() {
  const std::lock_guard lock(mutex_);
  pictures_.received(now_());
}

void CameraMonitor::dropped() {
  const std::lock_guard lock(mutex_);
  ++view_.dropped;
  drops_.received(now_());
}

void CameraMonitor::bad_picture(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  ++view_.counts[static_cast<std::size_t>(ovf::FrameOutcome::kBadImage)];
  pictures_.unused(ovf::to_string(ovf::FrameOutcome::kBadImage));
  view_.bad_picture = reason;
}

void CameraMonitor::processed(ovf::Stamp stamp, const ovf::FrameResult& result) {
  const std::lock_guard lock(mutex_);
  const ovf::Stamp now = now_();
  ++view_.counts[static_cast<std::size_t>(result.outcome)];
  switch (result.outcome) {
    case ovf::FrameOutcome::kUsed:
      steps_.received(now);
      pictures_.used();
      break;
    case ovf::FrameOutcome::kTooSoon:  // as the rate asks for
      pictures_.used();
      return;
    default:
      pictures_.unused(ovf::to_string(result.outcome));
      if (result.outcome == ovf::FrameOutcome::kBadImage) view_.bad_picture = result.reason;
      if (result.outcome == ovf::FrameOutcome::kNumericalFailure) {
        failed_ = now;
        view_.failure = result.reason;
      }
      return;
  }
  if (result.restarted) {
    ++view_.restarts;
    if (view_.initialised && stamp < view_.stamp) set_back_ = now;
  }
  if (result.parameters_restored) {
    ++view_.parameters_restored;
    fell_back_ = now;
  }
  view_.initialised = true;
  view_.stamp = stamp;
  view_.relbo = result.elbo;
  if (std::isfinite(result.novelty)) {
    view_.novelty = result.novelty;
    view_.nis = result.nis;
  }
}

void CameraMonitor::add_latency(double seconds) {
  const std::lock_guard lock(mutex_);
  latencies_.add(seconds);
}

void CameraMonitor::control(const std::string& problem) {
  const std::lock_guard lock(mutex_);
  controls_.received(now_());
  if (problem.empty()) {
    controls_.used();
  } else {
    controls_.unused(problem);
  }
}

void CameraMonitor::set_learning(bool on) {
  const std::lock_guard lock(mutex_);
  view_.learning = on;
}

void CameraMonitor::restored(bool initialised, ovf::Stamp stamp) {
  const std::lock_guard lock(mutex_);
  view_.initialised = initialised;
  view_.stamp = stamp;
}

void CameraMonitor::saved(const std::string& problem) {
  const std::lock_guard lock(mutex_);
  view_.save_problem = problem;
}

bool CameraMonitor::is_recent(const std::optional<ovf::Stamp>& time, ovf::Stamp now) const {
  if (!time) return false;
  const double age = ovf::seconds_between(*time, now);
  return age >= 0.0 && age < kRecent;
}

CameraMonitor::View CameraMonitor::view() {
  const std::lock_guard lock(mutex_);
  const ovf::Stamp now = now_();
  View out = view_;
  out.latency = latencies_.quantiles({0.5, 0.95, 0.99, 1.0});
  out.pictures = pictures_.summary(now);
  out.controls = controls_.summary(now);
  out.used_rate = steps_.summary(now).rate;
  out.recently_dropped = drops_.summary(now).counts.received;
  if (!is_recent(failed_, now)) out.failure.clear();
  out.clock_set_back = is_recent(set_back_, now);
  out.fell_back = is_recent(fell_back_, now);
  return out;
}

}  // namespace ovf_ros
