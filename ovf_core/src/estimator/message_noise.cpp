#include "ovf/estimator/message_noise.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace ovf {
namespace {

constexpr double kLargestVariance = 1e12;
constexpr double kSmallestVariance = 1e-10;
// Less than this share of the variances is rounding, not information.
constexpr double kRounding = 1e-9;

}  // namespace

CovarianceState message_noise_factor(const Eigen::MatrixXd& covariance, int dim,
                                     double least_deviation, Eigen::MatrixXd& factor) {
  if (covariance.size() == 0) return CovarianceState::kUnset;
  if (covariance.rows() != dim || covariance.cols() != dim) return CovarianceState::kUnusable;
  if (!covariance.allFinite()) return CovarianceState::kUnusable;
  if (covariance.isZero(0.0) || covariance(0, 0) == -1.0) return CovarianceState::kUnset;
  if (!(covariance.diagonal().minCoeff() >= kSmallestVariance)) return CovarianceState::kUnusable;

  factor = 0.5 * (covariance + covariance.transpose());
  for (int i = 0; i < dim; ++i) {
    const double shrink = std::sqrt(std::min(1.0, kLargestVariance / factor(i, i)));
    factor.row(i) *= shrink;
    factor.col(i) *= shrink;
    factor(i, i) = std::max(factor(i, i) * (1.0 + kRounding), least_deviation * least_deviation);
  }
  Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> cholesky(factor);
  if (cholesky.info() != Eigen::Success) return CovarianceState::kUnusable;
  factor.triangularView<Eigen::StrictlyUpper>().setZero();
  return factor.allFinite() ? CovarianceState::kUsable : CovarianceState::kUnusable;
}

}  // namespace ovf
