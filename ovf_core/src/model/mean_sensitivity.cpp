#include "ovf/model/mean_sensitivity.hpp"

namespace ovf {

int mean_sensitivity_columns(const MeanFunction& mean) {
  int columns = 0;
  for (int j = 0; j < mean.parameters().size(); ++j) {
    columns += mean.only_row(j) >= 0 ? 1 : mean.output_dim();
  }
  return columns;
}

void MeanSensitivity::add(const MeanFunction& mean, const StepInput& input, const Gaussian& at,
                          Sensitivity& out) {
  mean.expectation(input, at, value_, slope_);
  mean.parameter_expectation(input, at, parameter_value_, parameter_slope_);
  half_.noalias() = slope_ * at.factor.lower();
  covariance_.noalias() = half_ * at.factor.lower().transpose();
  const Eigen::Index d = at.dim();
  Eigen::Index column = 0;
  for (int j = 0; j < mean.parameters().size(); ++j) {
    const int only = mean.only_row(j);
    const int begin = only < 0 ? 0 : only;
    const int end = only < 0 ? mean.output_dim() : only + 1;
    for (int i = begin; i < end; ++i, ++column) {
      // d(A P A') = dA P A' + A P dA', row by row of dA.
      out.mean(i, j) = parameter_value_(i, j);
      out.left(i, column) = 1.0;
      out.right.col(column).noalias() =
          covariance_ * parameter_slope_.row(i).segment(j * d, d).transpose();
      out.parameter[static_cast<std::size_t>(column)] = j;
    }
  }
}

}  // namespace ovf
