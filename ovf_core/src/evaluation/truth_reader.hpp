#pragma once

#include <optional>
#include <vector>

#include "ovf/estimator/robot_log.hpp"

namespace ovf {

/// The true pose at growing stamps, interpolated; none where the truth has a gap.
class TruthReader {
 public:
  explicit TruthReader(const std::vector<TruePose>& truth) : truth_(truth) {}

  std::optional<TruePose> at(Stamp stamp);

 private:
  const std::vector<TruePose>& truth_;
  std::size_t next_ = 0;
};

}  // namespace ovf
