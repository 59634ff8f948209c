#include "ovf/evaluation/method.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

namespace ovf {

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> kNames = {"ovf", "no-learn", "ekf"};
  return kNames;
}

EstimatorConfig config_of_method(const std::string& name, const EstimatorConfig& config) {
  if (name == "ovf") return config;
  if (name == "ekf") return as_extended_kalman_filter(config);
  if (name == "no-learn") {
    EstimatorConfig fixed = config;
    fixed.filter.learning.rule = LearningRule::kNone;
    return fixed;
  }
  throw std::invalid_argument(fmt::format("there is no method {}; expected one of {}", name,
                                          fmt::join(method_names(), ", ")));
}

}  // namespace ovf
