#pragma once

#include <limits>

#include "ovf/model/linear_gaussian.hpp"

namespace ovf::test {

/// A linear-Gaussian observation whose density is lost, but not its gradient, where the first
/// number is the bad one: the inner loop goes well, and then there is no ELBO.
class FailingObservation final : public Observation {
 public:
  static constexpr double kBad = 0.123;

  explicit FailingObservation(const LinearConditional::Spec& spec) : linear_(spec) {}

  int state_dim() const override { return linear_.state_dim(); }
  int observation_dim() const override { return linear_.observation_dim(); }
  const ParameterVector& parameters() const override { return linear_.parameters(); }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override {
    linear_.set_parameters(values);
  }
  void log_density(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                   Eigen::VectorXd& out) const override {
    linear_.log_density(y, x, out);
    if (y[0] == kBad) out.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  void gradient(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                Eigen::MatrixXd& out) const override {
    linear_.gradient(y, x, out);
  }
  void scores(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
              Eigen::Ref<Eigen::MatrixXd> out) const override {
    linear_.scores(y, x, out);
  }
  void sample(const Eigen::MatrixXd& x, RandomStream& random, Eigen::MatrixXd& y) const override {
    linear_.sample(x, random, y);
  }
  void linearise(const Gaussian& at, Linearisation method, AffineGaussian& out) const override {
    linear_.linearise(at, method, out);
  }
  void expected_derivatives(const Eigen::VectorXd& y, const Gaussian& q,
                            ExpectedDerivatives& out) const override {
    linear_.expected_derivatives(y, q, out);
    if (y[0] == kBad) out.value = std::numeric_limits<double>::quiet_NaN();
  }
  bool is_conjugate() const override { return true; }

 private:
  LinearObservation linear_;
};

}  // namespace ovf::test
