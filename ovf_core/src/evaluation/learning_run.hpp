#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "ovf/evaluation/report.hpp"
#include "ovf/filter/filter.hpp"

namespace ovf {

/// What a learner reached, along the way.
struct LearningRun {
  std::string name{};
  std::vector<double> times{};
  std::vector<Eigen::VectorXd> parameters{};  // at those times
  std::vector<Eigen::VectorXd> deviations{};  // reported uncertainty; empty where there is none
  double seconds_per_step = 0.0;
};

/// Steps at which a run of this length is logged: about 12 a decade, and the last.
std::vector<int> logging_times(int steps);

/// Feeds the first `steps` observations (columns) to the filter. Throws std::runtime_error on an
/// observation that the filter does not use.
LearningRun run_learning(const std::string& name, Filter& filter,
                         const std::function<Eigen::VectorXd()>& deviations,
                         const Eigen::MatrixXd& observations, int steps, std::ostream& progress);

}  // namespace ovf
