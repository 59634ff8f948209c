#pragma once

#include <vector>

#include "ovf/math/gru_network.hpp"
#include "ovf/math/mlp_network.hpp"
#include "ovf/posterior/forward_network.hpp"

namespace ovf {

/// A recurrent network over the observations: h_t = GRU(h_{t-1}, summary of y_t), and an MLP makes
/// the numbers of q_t of h_t and of that summary, so that a network whose state is off its usual
/// path, as after a restart, still answers what it sees. Gradients go back `window` (H) steps: the
/// state before them is a constant, the most recent value that it had when it was within the
/// window.
class GruForwardNetwork final : public ForwardNetwork {
 public:
  GruForwardNetwork(int summary_dim, int units, int window, const std::vector<int>& hidden_layers,
                    int outputs, Activation activation);

  Eigen::Index parameter_count() const override;
  Eigen::VectorXd initial_weights(RandomStream& random) const override;
  void set_weights(const Eigen::Ref<const Eigen::VectorXd>& weights) override;
  void begin(const Eigen::VectorXd& summary, const Eigen::VectorXd& statistics) override;
  const Eigen::VectorXd& context() const override { return context_; }
  const Eigen::VectorXd& inputs() const override { return inputs_; }
  bool accepts(const Eigen::VectorXd& inputs) const override;
  Eigen::VectorXd without_past(const Eigen::VectorXd& inputs) const override;
  const Eigen::VectorXd& outputs(const Eigen::VectorXd& inputs) override;
  void gradient(const Eigen::VectorXd& cotangent, Eigen::Ref<Eigen::VectorXd> out) override;
  void commit() override;
  void forget() override;
  void archive(Archive& archive) override;

 private:
  /// The state after the first `count` steps of the window.
  const Eigen::VectorXd& roll_out(const Eigen::VectorXd& inputs, Eigen::Index count);
  Eigen::Index steps_of(const Eigen::VectorXd& inputs) const;

  GruNetwork recurrent_;
  MlpNetwork head_;
  Eigen::Index window_;
  Eigen::VectorXd recurrent_weights_, head_weights_;
  GruWorkspace recurrent_workspace_;
  MlpWorkspace head_workspace_;

  Eigen::VectorXd past_;    // the state before the window, then the summaries of its steps
  Eigen::VectorXd inputs_;  // the same with the step in work
  Eigen::VectorXd context_, start_, summary_, outputs_;
  Eigen::Index rolled_out_ = 0;
  Eigen::MatrixXd head_input_, head_cotangent_, state_cotangent_;
};

}  // namespace ovf
