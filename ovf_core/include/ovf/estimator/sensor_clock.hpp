#pragma once

#include <cstdint>
#include <limits>

#include "ovf/estimator/messages.hpp"
#include "ovf/estimator/planar_simulator_config.hpp"
#include "ovf/math/random.hpp"

namespace ovf {

/// When a simulated sensor speaks, and when it drops out: exponentially distributed times of
/// silence after exponentially distributed times of work.
class SensorClock {
 public:
  static constexpr Stamp kNever = std::numeric_limits<Stamp>::max();

  /// Ticks at phase, phase + period, ...; a phase of kNever: it never does. Drop-outs are drawn
  /// from the seed and the stream.
  SensorClock(const SimulatedTiming& timing, Stamp period, Stamp phase, std::uint64_t seed,
              std::uint64_t stream);

  Stamp next() const { return next_; }
  /// To the next tick but one. Returns whether the sensor is silent at the tick that is over.
  bool tick();

  std::int64_t drop_outs() const { return drop_outs_; }
  /// All silences until the last tick.
  double seconds_out() const;

 private:
  Stamp draw(double mean_seconds);

  SimulatedTiming timing_;
  Stamp period_;
  Stamp next_;
  Stamp last_ = 0;
  RandomStream random_;
  bool out_ = false;
  Stamp since_ = 0;
  Stamp until_ = kNever;
  std::int64_t drop_outs_ = 0;
  Stamp total_out_ = 0;
};

}  // namespace ovf
