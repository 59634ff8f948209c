#include "ovf/model/mean_function.hpp"

#include "ovf/math/cubature.hpp"

namespace ovf {

void MeanFunction::grouped_parameter_pull_back(const StepInput& input, const Eigen::MatrixXd& x,
                                               const Eigen::MatrixXd& cotangent,
                                               Eigen::Ref<Eigen::MatrixXd> out) const {
  Eigen::MatrixXd samples(out.rows(), x.cols());
  parameter_pull_back(input, x, cotangent, samples);
  const Eigen::Index size = x.cols() / out.cols();
  for (Eigen::Index g = 0; g < out.cols(); ++g) {
    out.col(g) = samples.middleCols(g * size, size).rowwise().sum();
  }
}

void MeanFunction::expectation(const StepInput& input, const Gaussian& x, Eigen::VectorXd& value,
                               Eigen::MatrixXd& slope) const {
  Cubature cubature;
  cubature.assign(x);
  Eigen::MatrixXd at_points;
  values(input, cubature.points(), at_points);
  value = cubature.mean(at_points);
  Eigen::MatrixXd transposed = cubature.with_axes(at_points);
  x.factor.unwhiten_transposed(transposed);
  slope = transposed.transpose();
}

void MeanFunction::parameter_expectation(const StepInput& input, const Gaussian& x,
                                         Eigen::MatrixXd& value, Eigen::MatrixXd& slope) const {
  const Eigen::Index d = input_dim();
  const Eigen::Index count = parameters().size();
  value.resize(output_dim(), count);
  slope.resize(output_dim(), d * count);
  Cubature cubature;
  cubature.assign(x);
  const Eigen::Index points = cubature.points().cols();
  Eigen::MatrixXd derivatives(count, points);
  for (Eigen::Index i = 0; i < output_dim(); ++i) {
    Eigen::MatrixXd cotangent = Eigen::MatrixXd::Zero(output_dim(), points);
    cotangent.row(i).setOnes();
    parameter_pull_back(input, cubature.points(), cotangent, derivatives);
    value.row(i) = cubature.mean(derivatives).transpose();
    Eigen::MatrixXd transposed = cubature.with_axes(derivatives);
    x.factor.unwhiten_transposed(transposed);
    slope.row(i) = transposed.reshaped().transpose();
  }
}

}  // namespace ovf
