#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace ovf {

struct TrialLimits {
  int seconds = 30;        ///< of the processor; of the clock, four times as many
  std::size_t memory = 0;  ///< bytes beyond what this process has
};

/// Runs `work` in a copy of this process that can write no files and has these limits. Empty: it
/// came to its end. Otherwise what it threw, or how it died.
std::string try_in_process(const TrialLimits& limits, const std::function<void()>& work);

}  // namespace ovf
