#include "ovf_ros/input_counts.hpp"

#include <algorithm>

namespace ovf_ros {
namespace {

constexpr double kWindow = 10.0;  // seconds
// A clock that stands still must not let it grow.
constexpr std::size_t kMostPast = 100;

}  // namespace

void InputCounts::start(ovf::Stamp now) {
  total_ = {};
  past_.assign(1, {now, total_});
  has_last_ = false;
  started_ = now;
}

InputCounts::Summary InputCounts::summary(ovf::Stamp now) {
  // The clock was set back.
  if (!past_.empty() && now < past_.back().first) {
    past_.assign(1, {now, total_});
    last_ = std::min(last_, now);
    started_ = std::min(started_, now);
  }
  if (started_ == 0) started_ = now;  // a simulated clock that had not begun
  while (past_.size() > 1 &&
         (past_.size() > kMostPast || ovf::seconds_between(past_.front().first, now) > kWindow)) {
    past_.pop_front();
  }
  Summary out;
  const ovf::Stamp since = past_.empty() ? now : past_.front().first;
  const Counts before = past_.empty() ? Counts{} : past_.front().second;
  out.counts.received = total_.received - before.received;
  out.counts.used = total_.used - before.used;
  for (const auto& [reason, count] : total_.unused) {
    const auto found = before.unused.find(reason);
    const long recent = count - (found == before.unused.end() ? 0 : found->second);
    if (recent == 0) continue;
    out.counts.unused[reason] = recent;
    if (recent > out.main_count) {
      out.main_count = recent;
      out.main_reason = reason;
    }
  }
  const double seconds = ovf::seconds_between(since, now);
  if (seconds > 0.0) out.rate = static_cast<double>(out.counts.received) / seconds;
  out.silence = ovf::seconds_between(has_last_ ? last_ : started_, now);
  past_.emplace_back(now, total_);
  return out;
}

}  // namespace ovf_ros
