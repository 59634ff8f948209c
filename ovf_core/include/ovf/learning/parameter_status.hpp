#pragma once

namespace ovf {

/// What is known of a learned parameter. Only an identified one has a standard deviation that means
/// something.
enum class ParameterStatus {
  kNotIdentified,  ///< the data have said next to nothing of it: it is as uncertain as at the start
  kIdentified,
  kAtBound,  ///< it would go on beyond a limit of its range
  kAtFloor,  ///< a noise that the configured floor outweighs
  kInDoubt,  ///< learned from a belief that is wrong, or was until lately; or a noise whose
             ///< sensor's errors last
};

/// Identified or not: the data must have narrowed what was known of it at the start.
ParameterStatus status_of(double deviation, double prior_deviation);

/// "not identified", "identified", "at its bound", "at its floor", "in doubt".
const char* to_string(ParameterStatus status);

}  // namespace ovf
