#include "ovf/posterior/gru_forward_network.hpp"

namespace ovf {

GruForwardNetwork::GruForwardNetwork(int summary_dim, int units, int window,
                                     const std::vector<int>& hidden_layers, int outputs,
                                     Activation activation)
    : recurrent_{summary_dim, units},
      head_(make_network(units + summary_dim, hidden_layers, outputs, activation)),
      window_(window),
      past_(Eigen::VectorXd::Zero(units)),
      inputs_(past_),
      context_(past_) {}

Eigen::Index GruForwardNetwork::parameter_count() const {
  return recurrent_.parameter_count() + head_.parameter_count();
}

Eigen::VectorXd GruForwardNetwork::initial_weights(RandomStream& random) const {
  Eigen::VectorXd head = initial_parameters(head_, random);
  set_last_layer_zero(head_, head);
  Eigen::VectorXd weights(parameter_count());
  weights << initial_parameters(recurrent_, random), head;
  return weights;
}

void GruForwardNetwork::set_weights(const Eigen::Ref<const Eigen::VectorXd>& weights) {
  recurrent_weights_ = weights.head(recurrent_.parameter_count());
  head_weights_ = weights.tail(head_.parameter_count());
}

Eigen::Index GruForwardNetwork::steps_of(const Eigen::VectorXd& inputs) const {
  return (inputs.size() - recurrent_.units) / recurrent_.inputs;
}

const Eigen::VectorXd& GruForwardNetwork::roll_out(const Eigen::VectorXd& inputs,
                                                   Eigen::Index count) {
  start_ = inputs.head(recurrent_.units);
  const Eigen::VectorXd* state = &start_;
  for (Eigen::Index k = 0; k < count; ++k) {
    summary_ = inputs.segment(recurrent_.units + k * recurrent_.inputs, recurrent_.inputs);
    state = &forward_step(recurrent_, recurrent_weights_, static_cast<std::size_t>(k), summary_,
                          *state, recurrent_workspace_);
  }
  return *state;
}

void GruForwardNetwork::begin(const Eigen::VectorXd& summary,
                              const Eigen::VectorXd& /*statistics*/) {
  context_ = roll_out(past_, steps_of(past_));
  inputs_.resize(past_.size() + summary.size());
  inputs_ << past_, summary;
}

bool GruForwardNetwork::accepts(const Eigen::VectorXd& inputs) const {
  const Eigen::Index steps = steps_of(inputs);
  return steps >= 1 && steps <= window_ &&
         inputs.size() == recurrent_.units + steps * recurrent_.inputs;
}

Eigen::VectorXd GruForwardNetwork::without_past(const Eigen::VectorXd& inputs) const {
  Eigen::VectorXd fresh(recurrent_.units + recurrent_.inputs);
  fresh << Eigen::VectorXd::Zero(recurrent_.units), inputs.tail(recurrent_.inputs);
  return fresh;
}

const Eigen::VectorXd& GruForwardNetwork::outputs(const Eigen::VectorXd& inputs) {
  rolled_out_ = steps_of(inputs);
  head_input_.resize(recurrent_.units + recurrent_.inputs, 1);
  head_input_ << roll_out(inputs, rolled_out_), inputs.tail(recurrent_.inputs);
  outputs_ = forward(head_, head_weights_, head_input_, head_workspace_).col(0);
  return outputs_;
}

void GruForwardNetwork::gradient(const Eigen::VectorXd& cotangent,
                                 Eigen::Ref<Eigen::VectorXd> out) {
  head_cotangent_ = cotangent;
  backward(head_, head_weights_, head_cotangent_, head_workspace_,
           out.tail(head_.parameter_count()), &state_cotangent_);
  backward(recurrent_, recurrent_weights_, static_cast<std::size_t>(rolled_out_),
           state_cotangent_.col(0).head(recurrent_.units), recurrent_workspace_,
           out.head(recurrent_.parameter_count()));
}

void GruForwardNetwork::commit() {
  past_ = inputs_;
  if (steps_of(past_) < window_) return;
  // The oldest step leaves the window: the state after it becomes the constant.
  const Eigen::Index left = past_.size() - recurrent_.inputs;
  const Eigen::VectorXd state = roll_out(past_, 1);
  inputs_ = past_.tail(left - recurrent_.units);
  past_.resize(left);
  past_ << state, inputs_;
}

void GruForwardNetwork::forget() { past_ = Eigen::VectorXd::Zero(recurrent_.units); }

void GruForwardNetwork::archive(Archive& archive) {
  Eigen::Index steps = steps_of(past_);
  archive.integer("steps in the window", steps, 0, window_ - 1);
  archive.vector("window", past_, recurrent_.units + steps * recurrent_.inputs);
  archive.require_finite("window", past_);
}

}  // namespace ovf
