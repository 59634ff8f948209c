#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <string>

#include "ovf/evaluation/chaotic_rnn_problem.hpp"

namespace ovf::test {

/// Rows of numbers, exact when read back.
inline void write_csv(const std::filesystem::path& path, const Eigen::MatrixXd& rows) {
  const Eigen::IOFormat format(std::numeric_limits<double>::max_digits10, Eigen::DontAlignCols, ",",
                               "\n");
  std::ofstream(path) << rows.format(format) << '\n';
}

/// A problem as --data reads it.
inline void write_problem(const std::filesystem::path& folder, const ChaoticRnnProblem& problem) {
  write_csv(folder / "W.csv", problem.spec.W);
  write_csv(folder / "x_data.csv", problem.states.transpose());
  write_csv(folder / "y_data.csv", problem.observations.transpose());
}

/// Everything but times, which differ from run to run.
inline std::map<std::string, double> timeless(std::map<std::string, double> values) {
  std::erase_if(values, [](const auto& entry) {
    return entry.first.find("seconds_per_step") != std::string::npos;
  });
  return values;
}

}  // namespace ovf::test
