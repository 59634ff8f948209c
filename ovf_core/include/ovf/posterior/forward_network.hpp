#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <span>

#include "ovf/math/archive.hpp"
#include "ovf/math/random.hpp"

namespace ovf {

/// The forward filtering network of the paper's appendix on amortisation: from what is known at
/// t - 1 and from the observation, the numbers of q_t relative to its prediction. Its weights are
/// one flat vector.
class ForwardNetwork {
 public:
  virtual ~ForwardNetwork() = default;

  virtual Eigen::Index parameter_count() const = 0;
  /// Random, but for a last layer of zeros: before anything is learned q_t is the prediction.
  virtual Eigen::VectorXd initial_weights(RandomStream& random) const = 0;

  /// For all that follows.
  virtual void set_weights(const Eigen::Ref<const Eigen::VectorXd>& weights) = 0;

  /// A step begins: `summary` of its observation (ObservationSummary), `statistics` of q_{t-1}.
  virtual void begin(const Eigen::VectorXd& summary, const Eigen::VectorXd& statistics) = 0;
  /// h_{t-1}: what is known at t - 1, for the backward network. The same all through the step.
  virtual const Eigen::VectorXd& context() const = 0;
  /// All that the outputs of the step depend on besides the weights.
  virtual const Eigen::VectorXd& inputs() const = 0;
  /// Whether they have a size that the inputs of some step can have.
  virtual bool accepts(const Eigen::VectorXd& inputs) const = 0;
  /// Those of the same step had the past been forgotten just before it.
  virtual Eigen::VectorXd without_past(const Eigen::VectorXd& inputs) const { return inputs; }
  /// Of this step, or of an earlier one by its inputs.
  virtual const Eigen::VectorXd& outputs(const Eigen::VectorXd& inputs) = 0;
  /// Of cotangent' outputs with respect to the weights, for the last `outputs`.
  virtual void gradient(const Eigen::VectorXd& cotangent, Eigen::Ref<Eigen::VectorXd> out) = 0;

  /// Puts a cotangent in the place of the outputs of an example.
  using ToCotangent = std::function<void(std::size_t example, Eigen::Ref<Eigen::VectorXd> outputs)>;
  /// The sum of such gradients over examples, each the inputs of some step. What `outputs` was last
  /// called for is forgotten.
  virtual void gradient_of_examples(std::span<const Eigen::VectorXd> examples,
                                    const ToCotangent& to_cotangent,
                                    Eigen::Ref<Eigen::VectorXd> out);

  /// The step was taken; otherwise the next `begin` takes its place.
  virtual void commit() {}
  /// What is known of the past ends.
  virtual void forget() {}
  /// What is carried from step to step.
  virtual void archive(Archive& /*archive*/) {}
};

}  // namespace ovf
