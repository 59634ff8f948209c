#include "ovf/filter/filter.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ovf {

const char* to_string(StepStatus status) {
  switch (status) {
    case StepStatus::kOk:
      return "ok";
    case StepStatus::kPredicted:
      return "no observation, only predicted";
    case StepStatus::kWrongSize:
      return "wrong size";
    case StepStatus::kNotFinite:
      return "not finite";
    case StepStatus::kNumericalFailure:
      return "numerical failure";
  }
  return "unknown";
}

const char* to_string(Health health) {
  switch (health) {
    case Health::kGood:
      return "good";
    case Health::kInconsistent:
      return "inconsistent";
    case Health::kAmbiguous:
      return "ambiguous";
    case Health::kOverconfident:
      return "overconfident";
    case Health::kPoorFit:
      return "poor fit";
    case Health::kRestarted:
      return "restarted";
  }
  return "unknown";
}

StepStatus check_observation(const Eigen::VectorXd& y, const StepInput& input, int expected_dim,
                             std::string& reason) {
  if (y.size() != expected_dim) {
    reason =
        fmt::format("observation has {} numbers; the model expects {}", y.size(), expected_dim);
    return StepStatus::kWrongSize;
  }
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    if (!std::isfinite(y[i])) {
      reason = fmt::format("observation[{}] is {}; expected a finite number", i, y[i]);
      return StepStatus::kNotFinite;
    }
  }
  const StepStatus status = check_input(input, reason);
  return status == StepStatus::kPredicted ? StepStatus::kOk : status;
}

StepStatus check_input(const StepInput& input, std::string& reason) {
  if (!std::isfinite(input.dt) || !input.control.allFinite()) {
    reason = fmt::format("dt ({}) or the control is not finite", input.dt);
    return StepStatus::kNotFinite;
  }
  reason.clear();
  return StepStatus::kPredicted;
}

}  // namespace ovf
