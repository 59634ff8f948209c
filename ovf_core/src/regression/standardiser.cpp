#include "ovf/regression/standardiser.hpp"

#include <cmath>

namespace ovf {

Standardiser::Standardiser(const Eigen::MatrixXd& samples)
    : mean(samples.rowwise().mean()),
      deviation((samples.colwise() - mean).rowwise().norm() /
                std::sqrt(static_cast<double>(samples.cols()))) {
  // The mean of equal numbers may differ from them in the last digits.
  const auto rounding = 1e-12 * mean.array().abs();
  deviation = (deviation.array() > rounding).select(deviation, 1.0);
}

void Standardiser::apply(const Eigen::MatrixXd& samples, Eigen::MatrixXd& standard) const {
  standard = (samples.colwise() - mean).array().colwise() / deviation.array();
}

void Standardiser::archive(Archive& archive, int rows) {
  archive.vector("network's means", mean, rows);
  archive.require_finite("network's means", mean);
  archive.vector("network's deviations", deviation, rows);
  archive.require_finite("network's deviations", deviation);
  archive.require((deviation.array() > 0.0).all(), "network's deviations", "positive numbers");
}

}  // namespace ovf
