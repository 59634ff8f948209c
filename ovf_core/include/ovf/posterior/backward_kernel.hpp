#pragma once

#include <Eigen/Core>
#include <memory>

#include "ovf/math/gaussian.hpp"

namespace ovf {

/// q_t(x_{t-1} | x_t) = N(mean(x_t), L L') (Eq. 7), reparameterised as x_{t-1} = mean(x_t) + L e.
class BackwardKernel {
 public:
  virtual ~BackwardKernel() = default;

  virtual const CovarianceFactor& noise() const = 0;
  virtual void mean(const Eigen::MatrixXd& x, Eigen::MatrixXd& out) const = 0;
  /// (d mean / d x)' c for each sample: d x_{t-1} / d x_t at fixed noise, transposed.
  virtual void pull_back(const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                         Eigen::MatrixXd& out) const = 0;
  /// The kernel as an affine Gaussian, or null if it is not one.
  virtual const AffineGaussian* affine() const = 0;

  virtual int parameter_count() const = 0;
  virtual void read_parameters(Eigen::Ref<Eigen::VectorXd> parameters) const = 0;
  virtual void write_parameters(const Eigen::Ref<const Eigen::VectorXd>& parameters) = 0;
  /// d/dphi of the mean over samples of h(x_{t-1}(phi; e, x_t)), cotangent_i = grad h.
  virtual void parameter_gradient(const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                                  const Eigen::MatrixXd& noise,
                                  Eigen::Ref<Eigen::VectorXd> gradient) const = 0;
  /// Adds d/dphi of the kernel's entropy.
  virtual void add_entropy_gradient(Eigen::Ref<Eigen::VectorXd> gradient) const = 0;

  virtual std::unique_ptr<BackwardKernel> clone() const = 0;
  virtual void archive(Archive& archive) = 0;

  /// x_{t-1} = mean(x_t) + L e.
  void sample(const Eigen::MatrixXd& x, const Eigen::MatrixXd& noise, Eigen::MatrixXd& out) const;
};

}  // namespace ovf
