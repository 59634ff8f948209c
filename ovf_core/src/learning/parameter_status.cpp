#include "ovf/learning/parameter_status.hpp"

namespace ovf {
namespace {

// Of the standard deviation at the start.
constexpr double kIdentified = 0.9;

}  // namespace

ParameterStatus status_of(double deviation, double prior_deviation) {
  return deviation < kIdentified * prior_deviation ? ParameterStatus::kIdentified
                                                   : ParameterStatus::kNotIdentified;
}

const char* to_string(ParameterStatus status) {
  switch (status) {
    case ParameterStatus::kNotIdentified:
      return "not identified";
    case ParameterStatus::kIdentified:
      return "identified";
    case ParameterStatus::kAtBound:
      return "at its bound";
    case ParameterStatus::kAtFloor:
      return "at its floor";
    case ParameterStatus::kInDoubt:
      return "in doubt";
  }
  return "unknown";
}

}  // namespace ovf
