#pragma once

#include "ovf/math/mlp_network.hpp"
#include "ovf/posterior/backward_kernel.hpp"

namespace ovf {

/// N(x_{t-1}; A x_t + b + s * MLP((x_t - c) / s'), L L'): the network adds to an affine part what
/// is not affine. The affine part is given (the closed-form kernel), the network and L are the
/// parameters. Inputs and outputs of the network are in standard deviations (s', s) around c, so
/// that its weights mean the same from step to step. The last layer starts at zero.
class AffineMlpKernel final : public BackwardKernel {
 public:
  AffineMlpKernel(int dim, const std::vector<int>& hidden_layers, Activation activation,
                  CovarianceForm noise_form, std::uint64_t seed);

  /// The affine part and the noise that L starts from.
  void assign(const AffineGaussian& conditional);
  /// Where x_t is expected (c, s') and the deviations of x_{t-1} (s).
  void set_scales(const Gaussian& prediction, const Gaussian& previous);
  /// The network of another kernel of the same shape.
  void continue_from(const AffineMlpKernel& other);

  const CovarianceFactor& noise() const override { return gaussian_.noise; }
  void mean(const Eigen::MatrixXd& x, Eigen::MatrixXd& out) const override;
  void pull_back(const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                 Eigen::MatrixXd& out) const override;
  const AffineGaussian* affine() const override { return nullptr; }
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
  /// Fills the workspace for x, unless it has just been filled for the same x.
  void run_network(const Eigen::MatrixXd& x) const;

  MlpNetwork network_;
  Eigen::VectorXd weights_;
  AffineGaussian gaussian_;
  Eigen::VectorXd centre_;
  Eigen::VectorXd input_scale_;
  Eigen::VectorXd output_scale_;

  mutable MlpWorkspace workspace_;
  mutable bool stale_ = true;
  mutable Eigen::MatrixXd inputs_, scaled_, back_;
};

}  // namespace ovf
