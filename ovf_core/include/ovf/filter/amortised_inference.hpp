#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

#include "ovf/filter/elbo_gradient.hpp"
#include "ovf/filter/inference.hpp"
#include "ovf/filter/kernel_score.hpp"
#include "ovf/filter/natural_gradient.hpp"
#include "ovf/filter/observation_summary.hpp"
#include "ovf/filter/online_variational_filter_config.hpp"
#include "ovf/filter/replay_memory.hpp"
#include "ovf/learning/schedule.hpp"
#include "ovf/math/adam.hpp"
#include "ovf/posterior/forward_network.hpp"

namespace ovf {

/// Numbers of h_{t-1}, which a backward network sees.
int amortised_context_dim(const AmortisedConfig& config, int dim);

/// Amortised inference (Appendix D): phi are the weights of networks that serve all steps, so that
/// what earlier steps learned serves the next one. The forward network gives q_t in the coordinates
/// of the prediction N(m, L L'): x = m + L z with z ~ N(o, M M'), o and M being its outputs. A step
/// with a start (StepInput::start) has it in the place of m.
class AmortisedInference final : public Inference {
 public:
  AmortisedInference(const OnlineVariationalFilterConfig& config, int dim);

  int optimise(const StateSpaceModel& model, const Gaussian& prediction, bool restart,
               ValueRecursion& value, StepRecord& record) override;
  void commit(const StepView& step, ValueRecursion& value) override;
  void reject() override;
  void restart() override;
  void archive(Archive& archive) override;

  /// Of the forward network, then of the backward one.
  const Eigen::VectorXd& weights() const { return learned_.weights; }
  /// One estimate of the gradient of the objective with respect to the weights, from the given
  /// noise, after `optimise` has begun the step.
  void gradient(const StateSpaceModel& model, ValueRecursion& value, const StepRecord& record,
                const Eigen::MatrixXd& noise, const Eigen::MatrixXd& kernel_noise,
                Eigen::VectorXd& out);

 private:
  void begin(const StateSpaceModel& model, const Gaussian& prediction, StepRecord& record);
  /// q_t and the kernel as the weights make them.
  void apply_weights(StepRecord& record);
  int follow_elbo(const StateSpaceModel& model, ValueRecursion& value, StepRecord& record);
  /// Draws examples from memory, besides those that are there.
  void recall();
  /// The gradient of the sum of KL(the network's z || the posterior that was found) over the
  /// examples is added to gradient_.
  void add_examples(double sign);
  /// From the network's outputs for an example to the gradient of that KL.
  void to_divergence_gradient(const Gaussian& target, Eigen::Ref<Eigen::VectorXd> outputs);
  /// z of the posterior in hand.
  void assign_target(const StepRecord& record);
  void imitate();
  /// z of the network's outputs, which are limited, and from a gradient with respect to its numbers
  /// that with respect to the outputs.
  void assign_relative(Eigen::Ref<Eigen::VectorXd> outputs, FilterMarginal& z) const;
  void to_output_gradient(const FilterMarginal& z, Eigen::Ref<Eigen::VectorXd> gradient) const;
  /// Along gradient_, uphill for a sign of 1.
  void move_weights(double sign);
  auto forward_weights() { return learned_.weights.head(forward_count_); }
  auto kernel_weights() { return learned_.weights.tail(kernel_count_); }
  bool trains() const { return config_.iterations > 0; }

  AmortisedConfig config_;
  int dim_;
  std::unique_ptr<ForwardNetwork> network_;
  Eigen::Index forward_count_ = 0;
  Eigen::Index kernel_count_ = 0;
  struct Learned {
    Eigen::VectorXd weights;
    Adam adam;
    double usual_length;  ///< of a gradient; 0: there was none yet
  };
  Learned learned_, committed_;
  Schedule schedule_;
  RandomStream random_, committed_random_;
  NaturalGradient natural_;
  ElboGradient elbo_;
  std::optional<KernelScore> kernel_score_;  // U, where the kernel is learned jointly over time

  Gaussian base_;            // m and L, in the form of the marginal
  FilterMarginal relative_;  // z
  FilterMarginal imitated_;  // z of a remembered step
  Gaussian target_;          // z of the posterior that was found
  ReplayMemory memory_;
  std::vector<Eigen::VectorXd> examples_;  // the inputs
  std::vector<const Gaussian*> targets_;   // of each
  ObservationSummary summary_;
  Eigen::VectorXd statistics_, seen_;
  bool beyond_reach_ = false;  // the observation is farther away than the networks see
  Eigen::VectorXd outputs_, output_gradient_, gradient_, part_, past_;
  Eigen::MatrixXd noise_, kernel_noise_, cotangent_, scratch_;
};

}  // namespace ovf
