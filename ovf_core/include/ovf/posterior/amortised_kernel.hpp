#pragma once

#include "ovf/math/mlp_network.hpp"
#include "ovf/posterior/backward_kernel.hpp"

namespace ovf {

/// The backward network of the paper's appendix on amortisation: one network, the same at all
/// steps, makes q_t(x_{t-1} | x_t) of what is known at t - 1 (the context) and of x_t,
///     N(A x_t + b + s * m(context, (x_t - c) / s'), L M(context) (L M)').
/// A, b and L are the closed-form kernel's, which it starts from: m and log M start at zero. m is
/// one part of the network's outputs; M, a factor by its numbers (factor_parameters.hpp), is the
/// other at x_t = c, so that the noise is the same for all x_t as in every other kernel. The
/// network's weights are the parameters.
class AmortisedKernel final : public BackwardKernel {
 public:
  AmortisedKernel(int dim, int context_dim, const std::vector<int>& hidden_layers,
                  Activation activation, CovarianceForm noise_form, std::uint64_t seed);

  /// A, b and L.
  void assign(const AffineGaussian& conditional);
  /// Where x_t is expected (c, s') and the deviations of x_{t-1} (s).
  void set_scales(const Gaussian& prediction, const Gaussian& previous);
  void set_context(const Eigen::VectorXd& context);

  const CovarianceFactor& noise() const override { return noise_; }
  void mean(const Eigen::MatrixXd& x, Eigen::MatrixXd& out) const override;
  void pull_back(const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                 Eigen::MatrixXd& out) const override;
  const AffineGaussian* affine() const override { return nullptr; }
  int parameter_count() const override { return static_cast<int>(weights_.size()); }
  void read_parameters(Eigen::Ref<Eigen::VectorXd> parameters) const override;
  void write_parameters(const Eigen::Ref<const Eigen::VectorXd>& parameters) override;
  void parameter_gradient(const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                          const Eigen::MatrixXd& noise,
                          Eigen::Ref<Eigen::VectorXd> gradient) const override;
  void add_entropy_gradient(Eigen::Ref<Eigen::VectorXd> gradient) const override;
  std::unique_ptr<BackwardKernel> clone() const override;
  void archive(Archive& archive) override;

 private:
  int dim() const { return base_.noise.dim(); }
  void refresh();
  void run_network(const Eigen::MatrixXd& x) const;
  /// gradient += that of cotangent' (the numbers of M).
  void add_noise_gradient(const Eigen::VectorXd& cotangent,
                          Eigen::Ref<Eigen::VectorXd> gradient) const;

  MlpNetwork network_;
  Eigen::VectorXd weights_;
  AffineGaussian base_;
  Eigen::VectorXd context_;
  Eigen::VectorXd centre_;
  Eigen::VectorXd input_scale_;
  Eigen::VectorXd output_scale_;
  Eigen::VectorXd factor_numbers_;
  CovarianceFactor relative_;  // M
  CovarianceFactor noise_;     // L M

  mutable MlpWorkspace workspace_, centre_workspace_;
  mutable bool stale_ = true;
  mutable Eigen::MatrixXd inputs_, network_inputs_, scaled_, back_;
  mutable Eigen::VectorXd factor_gradient_, part_;
};

}  // namespace ovf
