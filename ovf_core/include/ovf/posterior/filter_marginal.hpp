#pragma once

#include <Eigen/Core>

#include "ovf/math/gaussian.hpp"

namespace ovf {

/// q_t(x_t), mean field or full covariance, as the parameters phi that an optimiser moves:
/// the mean, then the numbers of factor_parameters.hpp. Sampled as x = mean + L e.
class FilterMarginal {
 public:
  FilterMarginal() = default;
  explicit FilterMarginal(Gaussian gaussian) : gaussian_(std::move(gaussian)) {}

  const Gaussian& gaussian() const { return gaussian_; }
  Gaussian& gaussian() { return gaussian_; }
  int dim() const { return gaussian_.dim(); }

  int parameter_count() const;
  void read_parameters(Eigen::Ref<Eigen::VectorXd> parameters) const;
  void write_parameters(const Eigen::Ref<const Eigen::VectorXd>& parameters);

  void sample(const Eigen::MatrixXd& noise, Eigen::MatrixXd& x) const;
  /// d/dphi of the mean over samples of h(x(phi; e)), cotangent_i = grad h(x_i).
  void parameter_gradient(const Eigen::MatrixXd& cotangent, const Eigen::MatrixXd& noise,
                          Eigen::Ref<Eigen::VectorXd> gradient) const;
  /// Adds d/dphi of the entropy of q_t.
  void add_entropy_gradient(Eigen::Ref<Eigen::VectorXd> gradient) const;

  /// Dimension and form stay as they are.
  void archive(Archive& archive);

 private:
  Gaussian gaussian_;
};

}  // namespace ovf
