#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "ovf/math/cubature.hpp"
#include "ovf/model/mean_function.hpp"

namespace ovf {

/// Another mean whose expectation under a Gaussian is taken over sigma points (third-degree
/// cubature) and whose distance from its line counts as noise: what an unscented Kalman filter
/// does.
class SigmaPointMean final : public MeanFunction {
 public:
  /// `angles`: which of the outputs are angles, so that points on both sides of half a turn are
  /// averaged on the same side; empty: none. Throws std::invalid_argument if the mean is missing or
  /// has another number of outputs.
  explicit SigmaPointMean(std::unique_ptr<MeanFunction> mean, std::vector<bool> angles = {});

  /// E[m], the slope of the regression line, and the covariance of m's distance from that line.
  void moments(const StepInput& input, const Gaussian& x, Eigen::VectorXd& value,
               Eigen::MatrixXd& slope, Eigen::MatrixXd& error) const;

  int input_dim() const override { return mean_->input_dim(); }
  int output_dim() const override { return mean_->output_dim(); }
  const ParameterVector& parameters() const override { return mean_->parameters(); }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override {
    mean_->set_parameters(values);
  }
  void values(const StepInput& input, const Eigen::MatrixXd& x,
              Eigen::MatrixXd& out) const override {
    mean_->values(input, x, out);
  }
  void jacobian(const StepInput& input, const Eigen::VectorXd& x,
                Eigen::MatrixXd& out) const override {
    mean_->jacobian(input, x, out);
  }
  void pull_back(const StepInput& input, const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                 Eigen::MatrixXd& out) const override {
    mean_->pull_back(input, x, cotangent, out);
  }
  void parameter_pull_back(const StepInput& input, const Eigen::MatrixXd& x,
                           const Eigen::MatrixXd& cotangent,
                           Eigen::Ref<Eigen::MatrixXd> out) const override {
    mean_->parameter_pull_back(input, x, cotangent, out);
  }
  void expectation(const StepInput& input, const Gaussian& x, Eigen::VectorXd& value,
                   Eigen::MatrixXd& slope) const override {
    moments(input, x, value, slope, error_);
  }

 private:
  std::unique_ptr<MeanFunction> mean_;
  std::vector<int> angles_;  // indices
  mutable Cubature cubature_;
  mutable Eigen::MatrixXd values_;
  mutable Eigen::MatrixXd transposed_;
  mutable Eigen::MatrixXd error_;
};

}  // namespace ovf
