#pragma once

#include <Eigen/Core>
#include <memory>

#include "ovf/math/gaussian.hpp"
#include "ovf/model/observation.hpp"
#include "ovf/model/transition.hpp"

namespace ovf {

/// The state-space model of Eq. (1): mu(x_1), f_theta(x_t | x_{t-1}), g_theta(y_t | x_t).
/// theta is the transition's parameters followed by the observation's.
class StateSpaceModel {
 public:
  /// Throws std::invalid_argument when the dimensions do not agree.
  StateSpaceModel(Gaussian prior, std::unique_ptr<Transition> transition,
                  std::unique_ptr<Observation> observation);

  const Gaussian& prior() const { return prior_; }
  /// Throws std::invalid_argument on another dimension.
  void set_prior(const Gaussian& prior);
  const Transition& transition() const { return *transition_; }
  const Observation& observation() const { return *observation_; }
  /// g of the step with this input: valid until the next call.
  const Observation& observation(const StepInput& input) const {
    observation_->bind(input);
    return *observation_;
  }
  int state_dim() const { return transition_->state_dim(); }
  int observation_dim() const { return observation_->observation_dim(); }

  const ParameterVector& parameters() const { return parameters_; }
  int transition_parameter_count() const { return transition_->parameters().size(); }
  bool has_closed_form_scores() const;
  bool has_sensitivity() const;
  /// Natural values of theta.
  void set_parameters(const Eigen::VectorXd& values);

  /// s_t = grad_theta log f g (Prop. 2), parameters x samples. An empty y stands for none.
  void scores(const StepInput& input, const Eigen::VectorXd& y, const Eigen::MatrixXd& from,
              const Eigen::MatrixXd& to, Eigen::MatrixXd& out) const;
  /// The same, weighed and summed over groups of consecutive samples, one column of out (that has
  /// its size) for each group.
  void grouped_scores(const StepInput& input, const Eigen::VectorXd& y, const Eigen::MatrixXd& from,
                      const Eigen::MatrixXd& to, const Eigen::VectorXd& weights,
                      Eigen::Ref<Eigen::MatrixXd> out) const;
  /// s_1 = grad_theta log mu g: the prior has no parameters.
  void first_scores(const StepInput& input, const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                    Eigen::MatrixXd& out) const;
  void grouped_first_scores(const StepInput& input, const Eigen::VectorXd& y,
                            const Eigen::MatrixXd& x, const Eigen::VectorXd& weights,
                            Eigen::Ref<Eigen::MatrixXd> out) const;

 private:
  /// Of the observation, in the last rows of out.
  void group_observation_scores(const StepInput& input, const Eigen::VectorXd& y,
                                const Eigen::MatrixXd& x, const Eigen::VectorXd& weights,
                                Eigen::Ref<Eigen::MatrixXd> out) const;

  Gaussian prior_;
  std::unique_ptr<Transition> transition_;
  std::unique_ptr<Observation> observation_;
  ParameterVector parameters_;
  mutable Eigen::MatrixXd observation_scores_;
};

/// States (dimension x steps) and observations (dimension x steps) drawn from a model.
struct SimulatedSequence {
  Eigen::MatrixXd states;
  Eigen::MatrixXd observations;
};
SimulatedSequence simulate(const StateSpaceModel& model, int steps, RandomStream& random);

}  // namespace ovf
