#pragma once

#include <array>
#include <string>

namespace ovf {

/// What became of a message: used, or why not.
enum class Outcome {
  kUsed,              ///< the belief has it
  kPredicted,         ///< a control: the belief moved
  kNotInitialised,    ///< there is no belief yet (initial.rule)
  kUnknownSensor,     ///< no sensor of this name is configured
  kUnknownTarget,     ///< no landmark of this number is configured
  kWrongSize,         ///< another count of numbers than the sensor has
  kNotFinite,         ///< a NaN, an infinity, or a stamp beyond all time
  kDuplicate,         ///< the same message came before
  kOutOfOrder,        ///< older than one that is used already, and stream.late is drop
  kTooOld,            ///< later than its delay limit, or than the history reaches
  kGated,             ///< outside the gate, or on the other side of sensors that contradict
  kNumericalFailure,  ///< the update had no finite result; the belief is as before
  kAheadOfTime,       ///< stamped later than the other inputs and the receiver's clock allow
};
inline constexpr int kOutcomes = 13;

const char* to_string(Outcome outcome);

/// What is worth telling, besides a message's own outcome.
enum class EventKind {
  kInitialised,         ///< there is a first belief
  kClockSetBack,        ///< stamps went back: the belief starts anew; value: seconds
  kGapCrossed,          ///< nothing came for longer than stream.longest_step; value: seconds
  kSensorSilent,        ///< nothing for longer than its timeout; value: seconds
  kSensorBack,          ///< after such a silence; value: seconds
  kGateOverridden,      ///< after gate_patience rejections one was let through
  kCovarianceReplaced,  ///< a message's covariance was unusable: the configured noise was used
  kRerun,               ///< a late message was put in its place; value: messages gone over
  kCutShort,            ///< time was up before the iterations were through
  kAbruptChange,        ///< innovations are too large for what was learned; value: their mean
  kParametersRestored,  ///< the predictive likelihood collapsed; value: nats per message
  kRestarted,           ///< repeated numerical failures: the belief is wide again
  kErrorsLast,          ///< a sensor's errors are alike from message to message; value: correlation
  kSensorsContradict,   ///< a sensor is far from what the others say; value: standard deviations
  kClockOffset,         ///< an input's clock is ahead of the others by so much; value: seconds
};

inline constexpr int kEvents = 15;

const char* to_string(EventKind kind);

struct Event {
  EventKind kind = EventKind::kInitialised;
  int sensor = -1;  ///< index, -1: none
  double value = 0.0;
  /// Where sensors contradict each other, the one that agreed with the belief; -1: none but the
  /// motion did.
  int other = -1;
};

/// Messages by what became of them, and events by kind.
struct Counters {
  std::array<long, kOutcomes> outcomes{};
  std::array<long, kEvents> events{};

  long of(Outcome outcome) const { return outcomes[static_cast<std::size_t>(outcome)]; }
  long of(EventKind kind) const { return events[static_cast<std::size_t>(kind)]; }
};

}  // namespace ovf
