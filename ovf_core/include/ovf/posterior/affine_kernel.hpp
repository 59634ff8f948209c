#pragma once

#include "ovf/posterior/backward_kernel.hpp"

namespace ovf {

/// N(x_{t-1}; A x_t + b, L L'). Parameters: A (its diagonal, or all of it column by column), the
/// mean A c + b at a centre c, L. With c near the x_t in hand, A and the mean are nearly
/// independent; with c = 0 gradient steps in A would shift the mean.
class AffineKernel final : public BackwardKernel {
 public:
  /// `matrix_form` says which entries of A are parameters; A starts at zero.
  AffineKernel(int dim, CovarianceForm matrix_form, CovarianceForm noise_form);

  AffineGaussian& gaussian() { return gaussian_; }
  /// Takes over a conditional, of its matrix only what the form has.
  void assign(const AffineGaussian& conditional);
  /// Changes only what the parameters mean, not the kernel.
  void set_centre(const Eigen::VectorXd& centre) { centre_ = centre; }
  const AffineGaussian& gaussian() const { return gaussian_; }

  const CovarianceFactor& noise() const override { return gaussian_.noise; }
  void mean(const Eigen::MatrixXd& x, Eigen::MatrixXd& out) const override;
  void pull_back(const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                 Eigen::MatrixXd& out) const override;
  const AffineGaussian* affine() const override { return &gaussian_; }
  int parameter_count() const override;
  void read_parameters(Eigen::Ref<Eigen::VectorXd> parameters) const override;
  void write_parameters(const Eigen::Ref<const Eigen::VectorXd>& parameters) override;
  void parameter_gradient(const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                          const Eigen::MatrixXd& noise,
                          Eigen::Ref<Eigen::VectorXd> gradient) const override;
  void add_entropy_gradient(Eigen::Ref<Eigen::VectorXd> gradient) const override;
  std::unique_ptr<BackwardKernel> clone() const override;
  void archive(Archive& archive) override;

 private:
  bool diagonal_matrix() const { return matrix_form_ == CovarianceForm::kDiagonal; }
  int matrix_parameter_count() const;

  CovarianceForm matrix_form_;
  AffineGaussian gaussian_;
  Eigen::VectorXd centre_;
};

}  // namespace ovf
