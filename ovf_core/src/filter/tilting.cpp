#include "ovf/filter/tilting.hpp"

namespace ovf {
namespace {

Eigen::MatrixXd precision_of(const Gaussian& gaussian) {
  Eigen::MatrixXd precision = Eigen::MatrixXd::Identity(gaussian.dim(), gaussian.dim());
  gaussian.factor.whiten(precision);
  gaussian.factor.unwhiten_transposed(precision);
  return precision;
}

// x_t: its prediction and its observation.
bool tilt_marginal(const StateSpaceModel& model, StepRecord& record) {
  const Gaussian& q = record.marginal.gaussian();
  const Eigen::MatrixXd precision = precision_of(record.prediction);
  ExpectedDerivatives sites;
  model.observation(record.input).expected_derivatives(record.y, q, sites);
  return record.tilted_marginal.emplace().assign(precision, precision * record.prediction.mean, {},
                                                 q.mean, sites, record.y);
}

// x_{t-1} given x_t: its own prediction and observation, and f.
bool tilt_kernel(const StateSpaceModel& model, const StepRecord& last,
                 const AffineGaussian& transition, const Gaussian& smoothed, StepRecord& record) {
  Eigen::MatrixXd by_next = transition.matrix;
  transition.noise.whiten(by_next);
  Eigen::MatrixXd precision = by_next.transpose() * by_next;
  transition.noise.unwhiten_transposed(by_next);
  by_next.transposeInPlace();
  const Eigen::MatrixXd predicted = precision_of(last.prediction);
  precision += predicted;
  ExpectedDerivatives sites;
  model.observation(last.input).expected_derivatives(last.y, smoothed, sites);
  return record.tilted_kernel.emplace().assign(
      precision, predicted * last.prediction.mean - by_next * transition.offset, by_next,
      smoothed.mean, sites, last.y);
}

}  // namespace

bool tilt(const StateSpaceModel& model, const StepRecord* last, const AffineGaussian& transition,
          const Gaussian& smoothed, StepRecord& record) {
  record.tilted_marginal.reset();
  record.tilted_kernel.reset();
  if (last != nullptr && last->observed &&
      !tilt_kernel(model, *last, transition, smoothed, record)) {
    return false;
  }
  return !record.observed || tilt_marginal(model, record);
}

void draw_joint(const StateSpaceModel& model, const StepRecord* last, int count,
                RandomStream& random, StepRecord& record) {
  JointDraws& draws = record.draws;
  record.draw(model, count, random, draws.to, draws.log_marginal);
  if (last == nullptr) {
    draws.from.resize(0, 0);
    draws.weigh(model, record.observation(), record.prediction, record.observation());
    return;
  }
  record.draw_previous(model, draws.to, random, draws.from, draws.log_kernel);
  draws.weigh(model, record.observation(), last->prediction, last->observation());
}

void weigh_further_back(const StateSpaceModel& model, const StepRecord& last,
                        const StepRecord& second_last, RandomStream& random, StepRecord& record) {
  Eigen::MatrixXd earlier;
  Eigen::VectorXd log_kernel;
  last.draw_previous(model, record.draws.from, random, earlier, log_kernel);
  record.draws.weigh_further_back(model, earlier, log_kernel, last.prediction, last.input,
                                  second_last.prediction, second_last.observation());
}

bool match_moments(StepRecord& record) {
  const JointDraws& draws = record.draws;
  Gaussian& q = record.moments;
  q = record.marginal.gaussian();
  q.mean.noalias() = draws.to * draws.weights;
  const Eigen::MatrixXd centred = draws.to.colwise() - q.mean;
  Eigen::MatrixXd scratch;
  return q.factor.assign_covariance(centred * draws.weights.asDiagonal() * centred.transpose(),
                                    scratch);
}

}  // namespace ovf
