#include "ovf/estimator/sensor_clock.hpp"

#include <algorithm>
#include <cmath>

namespace ovf {

SensorClock::SensorClock(const SimulatedTiming& timing, Stamp period, Stamp phase,
                         std::uint64_t seed, std::uint64_t stream)
    : timing_(timing), period_(period), next_(phase), random_(seed, stream) {
  if (timing_.drop_out_every > 0.0) until_ = draw(timing_.drop_out_every);
}

bool SensorClock::tick() {
  last_ = next_;
  next_ += period_;
  while (until_ <= last_) {
    if (out_) total_out_ += until_ - since_;
    out_ = !out_;
    if (out_) ++drop_outs_;
    since_ = until_;
    until_ += draw(out_ ? timing_.drop_out_length : timing_.drop_out_every);
  }
  return out_;
}

double SensorClock::seconds_out() const {
  return seconds_between(0, total_out_ + (out_ ? last_ - since_ : 0));
}

Stamp SensorClock::draw(double mean_seconds) {
  const double seconds = -mean_seconds * std::log1p(-random_.uniform());
  return std::max<Stamp>(1, std::llround(seconds / kSecondsPerNanosecond));
}

}  // namespace ovf
