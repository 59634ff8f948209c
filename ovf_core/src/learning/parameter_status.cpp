#include "ovf/learning/parameter_status.hpp"

namespace ovf {

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
  }
  return "unknown";
}

}  // namespace ovf
