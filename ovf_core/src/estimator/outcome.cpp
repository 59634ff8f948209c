#include "ovf/estimator/outcome.hpp"

namespace ovf {

const char* to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::kUsed:
      return "used";
    case Outcome::kPredicted:
      return "predicted";
    case Outcome::kNotInitialised:
      return "not initialised";
    case Outcome::kUnknownSensor:
      return "unknown sensor";
    case Outcome::kUnknownTarget:
      return "unknown target";
    case Outcome::kWrongSize:
      return "wrong size";
    case Outcome::kNotFinite:
      return "not finite";
    case Outcome::kDuplicate:
      return "duplicate";
    case Outcome::kOutOfOrder:
      return "out of order";
    case Outcome::kTooOld:
      return "too old";
    case Outcome::kGated:
      return "gated";
    case Outcome::kNumericalFailure:
      return "numerical failure";
    case Outcome::kAheadOfTime:
      return "ahead of time";
  }
  return "unknown";
}

const char* to_string(EventKind kind) {
  switch (kind) {
    case EventKind::kInitialised:
      return "initialised";
    case EventKind::kClockSetBack:
      return "clock set back";
    case EventKind::kGapCrossed:
      return "gap crossed";
    case EventKind::kSensorSilent:
      return "sensor silent";
    case EventKind::kSensorBack:
      return "sensor back";
    case EventKind::kGateOverridden:
      return "gate overridden";
    case EventKind::kCovarianceReplaced:
      return "covariance replaced";
    case EventKind::kRerun:
      return "rerun";
    case EventKind::kCutShort:
      return "cut short";
    case EventKind::kAbruptChange:
      return "abrupt change";
    case EventKind::kParametersRestored:
      return "parameters restored";
    case EventKind::kRestarted:
      return "restarted";
    case EventKind::kErrorsLast:
      return "errors last";
    case EventKind::kSensorsContradict:
      return "sensors contradict";
    case EventKind::kClockOffset:
      return "clock offset";
  }
  return "unknown";
}

}  // namespace ovf
