#pragma once

#include <vector>

#include "ovf/math/mlp_network.hpp"
#include "ovf/posterior/forward_network.hpp"

namespace ovf {

/// The simplest one: what is known at t - 1 are the statistics of q_{t-1}.
class MlpForwardNetwork final : public ForwardNetwork {
 public:
  MlpForwardNetwork(int summary_dim, int statistics_dim, const std::vector<int>& hidden_layers,
                    int outputs, Activation activation);

  Eigen::Index parameter_count() const override { return network_.parameter_count(); }
  Eigen::VectorXd initial_weights(RandomStream& random) const override;
  void set_weights(const Eigen::Ref<const Eigen::VectorXd>& weights) override;
  void begin(const Eigen::VectorXd& summary, const Eigen::VectorXd& statistics) override;
  const Eigen::VectorXd& context() const override { return statistics_; }
  const Eigen::VectorXd& inputs() const override { return inputs_; }
  bool accepts(const Eigen::VectorXd& inputs) const override {
    return inputs.size() == network_.sizes[0];
  }
  const Eigen::VectorXd& outputs(const Eigen::VectorXd& inputs) override;
  void gradient(const Eigen::VectorXd& cotangent, Eigen::Ref<Eigen::VectorXd> out) override;
  /// All of them at once.
  void gradient_of_examples(std::span<const Eigen::VectorXd> examples,
                            const ToCotangent& to_cotangent,
                            Eigen::Ref<Eigen::VectorXd> out) override;

 private:
  MlpNetwork network_;
  MlpWorkspace workspace_, examples_workspace_;
  Eigen::VectorXd weights_, statistics_, inputs_, outputs_;
  Eigen::MatrixXd examples_, cotangents_;  // an example in each column
};

}  // namespace ovf
