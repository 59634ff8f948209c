#pragma once

#include <Eigen/Core>
#include <filesystem>

namespace ovf {

/// A matrix of numbers separated by commas. Throws std::runtime_error with file and line on
/// anything else, on rows of unequal length, and beyond 1 GiB.
Eigen::MatrixXd read_csv_matrix(const std::filesystem::path& path);

}  // namespace ovf
