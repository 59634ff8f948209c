#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <unsupported/Eigen/AutoDiff>
#include <utility>
#include <vector>

#include "ovf/model/mean_function.hpp"

namespace ovf {

/// A number with its derivatives by some of the inputs.
inline constexpr int kDualDerivatives = 8;
using Dual = Eigen::AutoDiffScalar<Eigen::Matrix<double, kDualDerivatives, 1>>;

/// A mean without parameters whose equations are written once, for any type of number:
///     template <typename T> void operator()(const StepInput& input, const T* x, T* out) const;
/// The Jacobian comes from dual numbers. Its expectation under a Gaussian is its tangent at the
/// mean: robots' equations bend little over a belief, whereas cubature points of a state with many
/// dimensions lie far out.
template <typename Function>
class DualMean final : public MeanFunction {
 public:
  DualMean(int input_dim, int output_dim, Function function)
      : input_dim_(input_dim),
        output_dim_(output_dim),
        function_(std::move(function)),
        dual_in_(static_cast<std::size_t>(input_dim)),
        dual_out_(static_cast<std::size_t>(output_dim)) {}

  const Function& function() const { return function_; }
  int input_dim() const override { return input_dim_; }
  int output_dim() const override { return output_dim_; }
  const ParameterVector& parameters() const override { return no_parameters_; }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override {
    no_parameters_.set_values(values);
  }

  void values(const StepInput& input, const Eigen::MatrixXd& x,
              Eigen::MatrixXd& out) const override {
    out.resize(output_dim_, x.cols());
    for (Eigen::Index k = 0; k < x.cols(); ++k) {
      function_(input, x.col(k).data(), out.col(k).data());
    }
  }

  void jacobian(const StepInput& input, const Eigen::VectorXd& x,
                Eigen::MatrixXd& out) const override {
    out.resize(output_dim_, input_dim_);
    for (int first = 0; first < input_dim_; first += kDualDerivatives) {
      const int count = std::min(kDualDerivatives, input_dim_ - first);
      for (int i = 0; i < input_dim_; ++i) {
        Dual& dual = dual_in_[static_cast<std::size_t>(i)];
        dual.value() = x[i];
        dual.derivatives().setZero();
        if (i >= first && i < first + count) dual.derivatives()[i - first] = 1.0;
      }
      function_(input, dual_in_.data(), dual_out_.data());
      for (int i = 0; i < output_dim_; ++i) {
        out.row(i).segment(first, count) =
            dual_out_[static_cast<std::size_t>(i)].derivatives().head(count).transpose();
      }
    }
  }

  void pull_back(const StepInput& input, const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                 Eigen::MatrixXd& out) const override {
    out.resize(input_dim_, x.cols());
    for (Eigen::Index k = 0; k < x.cols(); ++k) {
      jacobian(input, x.col(k), jacobian_);
      out.col(k).noalias() = jacobian_.transpose() * cotangent.col(k);
    }
  }

  void parameter_pull_back(const StepInput& /*input*/, const Eigen::MatrixXd& /*x*/,
                           const Eigen::MatrixXd& /*cotangent*/,
                           Eigen::Ref<Eigen::MatrixXd> /*out*/) const override {}

  void expectation(const StepInput& input, const Gaussian& x, Eigen::VectorXd& value,
                   Eigen::MatrixXd& slope) const override {
    value.resize(output_dim_);
    function_(input, x.mean.data(), value.data());
    jacobian(input, x.mean, slope);
  }

 private:
  int input_dim_;
  int output_dim_;
  Function function_;
  ParameterVector no_parameters_;
  mutable std::vector<Dual> dual_in_, dual_out_;
  mutable Eigen::MatrixXd jacobian_;
};

}  // namespace ovf
