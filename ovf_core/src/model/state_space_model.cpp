#include "ovf/model/state_space_model.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace ovf {

StateSpaceModel::StateSpaceModel(Gaussian prior, std::unique_ptr<Transition> transition,
                                 std::unique_ptr<Observation> observation)
    : prior_(std::move(prior)),
      transition_(std::move(transition)),
      observation_(std::move(observation)) {
  if (prior_.dim() != transition_->state_dim() ||
      observation_->state_dim() != transition_->state_dim()) {
    throw std::invalid_argument(
        fmt::format("state dimensions disagree: prior {}, transition {}, observation {}",
                    prior_.dim(), transition_->state_dim(), observation_->state_dim()));
  }
  if (prior_.factor.dim() != prior_.dim()) {
    throw std::invalid_argument(fmt::format("prior covariance has {} dimensions; its mean has {}",
                                            prior_.factor.dim(), prior_.dim()));
  }
  if (!prior_.mean.allFinite()) throw std::invalid_argument("prior mean is not finite");
  parameters_.append(transition_->parameters());
  parameters_.append(observation_->parameters());
}

void StateSpaceModel::set_prior(const Gaussian& prior) {
  if (prior.dim() != state_dim() || prior.factor.dim() != state_dim()) {
    throw std::invalid_argument(
        fmt::format("a prior of {} dimensions for a state of {}", prior.dim(), state_dim()));
  }
  prior_ = prior;
}

bool StateSpaceModel::has_closed_form_scores() const {
  return transition_->has_closed_form_scores() && observation_->has_closed_form_scores();
}

bool StateSpaceModel::has_sensitivity() const {
  return transition_->has_sensitivity() && observation_->has_sensitivity();
}

void StateSpaceModel::set_parameters(const Eigen::VectorXd& values) {
  parameters_.set_values(values);
  const int split = transition_parameter_count();
  transition_->set_parameters(values.head(split));
  observation_->set_parameters(values.tail(values.size() - split));
}

void StateSpaceModel::scores(const StepInput& input, const Eigen::VectorXd& y,
                             const Eigen::MatrixXd& from, const Eigen::MatrixXd& to,
                             Eigen::MatrixXd& out) const {
  const int split = transition_parameter_count();
  out.resize(parameters_.size(), to.cols());
  transition_->scores(input, from, to, out.topRows(split));
  if (y.size() > 0) {
    observation(input).scores(y, to, out.bottomRows(out.rows() - split));
  } else {
    out.bottomRows(out.rows() - split).setZero();
  }
}

void StateSpaceModel::grouped_scores(const StepInput& input, const Eigen::VectorXd& y,
                                     const Eigen::MatrixXd& from, const Eigen::MatrixXd& to,
                                     const Eigen::VectorXd& weights,
                                     Eigen::Ref<Eigen::MatrixXd> out) const {
  transition_->grouped_scores(input, from, to, weights, out.topRows(transition_parameter_count()));
  group_observation_scores(input, y, to, weights, out);
}

void StateSpaceModel::grouped_first_scores(const StepInput& input, const Eigen::VectorXd& y,
                                           const Eigen::MatrixXd& x, const Eigen::VectorXd& weights,
                                           Eigen::Ref<Eigen::MatrixXd> out) const {
  out.topRows(transition_parameter_count()).setZero();
  group_observation_scores(input, y, x, weights, out);
}

void StateSpaceModel::group_observation_scores(const StepInput& input, const Eigen::VectorXd& y,
                                               const Eigen::MatrixXd& x,
                                               const Eigen::VectorXd& weights,
                                               Eigen::Ref<Eigen::MatrixXd> out) const {
  const Eigen::Index count = out.rows() - transition_parameter_count();
  if (count == 0) return;
  auto part = out.bottomRows(count);
  if (y.size() == 0) {
    part.setZero();
    return;
  }
  observation_scores_.resize(count, x.cols());
  observation(input).scores(y, x, observation_scores_);
  const Eigen::Index size = x.cols() / out.cols();
  for (Eigen::Index g = 0; g < out.cols(); ++g) {
    part.col(g).noalias() =
        observation_scores_.middleCols(g * size, size) * weights.segment(g * size, size);
  }
}

void StateSpaceModel::first_scores(const StepInput& input, const Eigen::VectorXd& y,
                                   const Eigen::MatrixXd& x, Eigen::MatrixXd& out) const {
  const int split = transition_parameter_count();
  out.setZero(parameters_.size(), x.cols());
  if (y.size() > 0) observation(input).scores(y, x, out.bottomRows(out.rows() - split));
}

SimulatedSequence simulate(const StateSpaceModel& model, int steps, RandomStream& random) {
  SimulatedSequence sequence{Eigen::MatrixXd(model.state_dim(), steps),
                             Eigen::MatrixXd(model.observation_dim(), steps)};
  Eigen::MatrixXd x(model.state_dim(), 1);
  Eigen::MatrixXd next;
  Eigen::MatrixXd y;
  for (int t = 0; t < steps; ++t) {
    if (t == 0) {
      Eigen::MatrixXd z(model.state_dim(), 1);
      random.fill_normal(z);
      model.prior().factor.multiply(z, x);
      x += model.prior().mean;
    } else {
      model.transition().sample({}, x, random, next);
      x = next;
    }
    model.observation().sample(x, random, y);
    sequence.states.col(t) = x;
    sequence.observations.col(t) = y;
  }
  return sequence;
}

}  // namespace ovf
