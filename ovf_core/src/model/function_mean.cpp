#include "ovf/model/function_mean.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "ovf/math/gradient_check.hpp"

namespace ovf {
namespace {

void require_size(const char* name, const Eigen::MatrixXd& result, Eigen::Index rows,
                  Eigen::Index cols) {
  if (result.rows() != rows || result.cols() != cols) {
    throw std::invalid_argument(fmt::format("mean function: its {} is {}x{}; expected {}x{}", name,
                                            result.rows(), result.cols(), rows, cols));
  }
}

}  // namespace

FunctionMean::FunctionMean(Spec spec) : spec_(std::move(spec)) {
  if (spec_.input_dim <= 0 || spec_.output_dim <= 0) {
    throw std::invalid_argument(
        fmt::format("mean function: dimensions are {} in, {} out; expected positive numbers",
                    spec_.input_dim, spec_.output_dim));
  }
  if (!spec_.value) throw std::invalid_argument("mean function: no value function is given");
}

void FunctionMean::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  spec_.parameters.set_values(values);
}

Eigen::VectorXd FunctionMean::value(const StepInput& input, const Eigen::VectorXd& x,
                                    const Eigen::VectorXd& theta) const {
  Eigen::VectorXd result = spec_.value(x, theta, input);
  require_size("value", result, output_dim(), 1);
  return result;
}

void FunctionMean::values(const StepInput& input, const Eigen::MatrixXd& x,
                          Eigen::MatrixXd& out) const {
  out.resize(output_dim(), x.cols());
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    out.col(i) = value(input, x.col(i), parameters().values());
  }
}

void FunctionMean::jacobian(const StepInput& input, const Eigen::VectorXd& x,
                            Eigen::MatrixXd& out) const {
  if (spec_.jacobian) {
    out = spec_.jacobian(x, parameters().values(), input);
  } else {
    out = numerical_jacobian(
        [&](const Eigen::VectorXd& moved) { return value(input, moved, parameters().values()); },
        x);
  }
  require_size("Jacobian", out, output_dim(), input_dim());
}

Eigen::MatrixXd FunctionMean::parameter_jacobian(const StepInput& input,
                                                 const Eigen::VectorXd& x) const {
  if (!spec_.parameter_jacobian) {
    return numerical_jacobian([&](const Eigen::VectorXd& moved) { return value(input, x, moved); },
                              parameters().values());
  }
  Eigen::MatrixXd result = spec_.parameter_jacobian(x, parameters().values(), input);
  require_size("parameter Jacobian", result, output_dim(), parameters().size());
  return result;
}

void FunctionMean::pull_back(const StepInput& input, const Eigen::MatrixXd& x,
                             const Eigen::MatrixXd& cotangent, Eigen::MatrixXd& out) const {
  Eigen::MatrixXd slope;
  out.resize(input_dim(), x.cols());
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    jacobian(input, x.col(i), slope);
    out.col(i).noalias() = slope.transpose() * cotangent.col(i);
  }
}

void FunctionMean::parameter_pull_back(const StepInput& input, const Eigen::MatrixXd& x,
                                       const Eigen::MatrixXd& cotangent,
                                       Eigen::Ref<Eigen::MatrixXd> out) const {
  if (parameters().size() == 0) return;
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    out.col(i).noalias() = parameter_jacobian(input, x.col(i)).transpose() * cotangent.col(i);
  }
}

}  // namespace ovf
