#pragma once

#include "ovf/math/mlp_network.hpp"
#include "ovf/posterior/backward_kernel.hpp"

namespace ovf {

/// N(x_{t-1}; MLP(x_t), L L'), the kernel of Section 5.2: nothing of it is taken from the model.
/// The network's weights and L are the parameters.
class MlpKernel final : public BackwardKernel {
 public:
  /// Random weights, and this standard deviation in each dimension.
  MlpKernel(int dim, const std::vector<int>& hidden_layers, Activation activation,
            CovarianceForm noise_form, double deviation, std::uint64_t seed);

  const CovarianceFactor& noise() const override { return noise_; }
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
  CovarianceFactor noise_;

  mutable MlpWorkspace workspace_;
  mutable bool stale_ = true;
  mutable Eigen::MatrixXd scaled_;
};

}  // namespace ovf
