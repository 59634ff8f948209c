#pragma once

#include <Eigen/Core>

namespace ovf {

/// Median distance between pairs of columns, the usual first guess of a kernel bandwidth. 1 if
/// there is no pair or the median is zero, so that the result can always serve as a bandwidth.
double median_pairwise_distance(const Eigen::MatrixXd& points);

}  // namespace ovf
