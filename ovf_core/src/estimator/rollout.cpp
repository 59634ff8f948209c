#include "ovf/estimator/rollout.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "ovf/model/nonlinear_transition.hpp"

namespace ovf {
namespace {

constexpr int kMostSteps = 10'000;
constexpr int kMostSamples = 10'000;

int steps_of(const RolloutRequest& request, int control_dim) {
  const bool sensible = std::isfinite(request.horizon) && std::isfinite(request.step) &&
                        request.step > 0.0 && request.horizon >= request.step &&
                        request.horizon / request.step <= kMostSteps;
  if (!sensible) {
    throw std::invalid_argument(
        fmt::format("rollout: {} s ahead in steps of {} s; expected a positive step, at most the "
                    "horizon and at least a {}th of it",
                    request.horizon, request.step, kMostSteps));
  }
  if (request.samples < 0 || request.samples > kMostSamples) {
    throw std::invalid_argument(
        fmt::format("rollout: {} paths; expected 0 to {}", request.samples, kMostSamples));
  }
  if (request.plan == ControlPlan::kGiven && request.controls.empty()) {
    throw std::invalid_argument("rollout: the plan is given, but it has no controls");
  }
  for (const Eigen::VectorXd& control : request.controls) {
    if (control.size() != control_dim || !control.allFinite()) {
      throw std::invalid_argument(
          fmt::format("rollout: a control of {} numbers or one that is not finite; expected {} "
                      "finite numbers",
                      control.size(), control_dim));
    }
  }
  return static_cast<int>(std::llround(request.horizon / request.step));
}

void set_control(const RolloutRequest& request, int step, int control_dim, StepInput& input) {
  if (request.plan == ControlPlan::kZero) input.control.setZero(control_dim);
  if (request.plan == ControlPlan::kGiven) {
    const auto last = request.controls.size() - 1;
    input.control = request.controls[std::min(static_cast<std::size_t>(step), last)];
  }
}

// Lower factor of the covariance of the mean's parameters; empty where there are none.
Eigen::MatrixXd parameter_factor(const OnlineVariationalFilter& filter, int count) {
  if (count == 0) return {};
  const Eigen::MatrixXd covariance = filter.learner().covariance();
  if (covariance.size() == 0) return Eigen::MatrixXd::Zero(count, count);
  return covariance.topLeftCorner(count, count).llt().matrixL();
}

}  // namespace

Rollout roll_out(const OnlineVariationalFilter& filter, const Gaussian& belief,
                 const Motion& motion, const StepInput& start, const RolloutRequest& request) {
  const int steps = steps_of(request, motion.control_dim());
  const int d = belief.dim();
  const Transition& transition = filter.model().transition();
  const auto* nonlinear = dynamic_cast<const NonlinearTransition*>(&transition);
  const int weights = nonlinear != nullptr ? nonlinear->mean().parameters().size() : 0;
  const Eigen::MatrixXd weight_factor = parameter_factor(filter, weights);

  Rollout rollout;
  rollout.means.resize(d, steps);
  RandomStream random(request.seed, 11);
  Eigen::MatrixXd x(d, request.samples), z(d, request.samples), next;
  random.fill_normal(z);
  belief.factor.multiply(z, x);
  x.colwise() += belief.mean;
  Eigen::MatrixXd weight_draws(weights, request.samples);
  if (weights > 0) {
    random.fill_normal(weight_draws);
    weight_draws = weight_factor * weight_draws;
  }
  rollout.paths.assign(static_cast<std::size_t>(request.samples), Eigen::MatrixXd(d, steps));

  StepInput input = start;
  input.dt = request.step;
  Gaussian state = belief;
  Eigen::MatrixXd covariance = belief.covariance();
  Eigen::MatrixXd by_weights = Eigen::MatrixXd::Zero(d, weights);  // dx/dw
  Eigen::MatrixXd value, slope, scratch;
  AffineGaussian f;
  for (int k = 0; k < steps; ++k) {
    set_control(request, k, motion.control_dim(), input);
    input.last_reference = input.reference;
    input.reference = motion.next_reference(input, state.mean);
    transition.linearise(input, state, Linearisation::kExpected, f);
    if (weights > 0) {
      value.setZero(d, weights);  // some rows may be left out
      nonlinear->mean().parameter_expectation(input, state, value, slope);
      by_weights = f.matrix * by_weights + value;
    }
    state.mean = f.matrix * state.mean + f.offset;
    scratch.noalias() = f.matrix * covariance;
    covariance.noalias() = scratch * f.matrix.transpose();
    f.noise.add_to(covariance);
    state.factor.assign_covariance(covariance, scratch);

    rollout.times.push_back((k + 1) * request.step);
    rollout.means.col(k) = state.mean;
    scratch.noalias() = by_weights * weight_factor;
    rollout.covariances.push_back(covariance);
    if (weights > 0) rollout.covariances.back().noalias() += scratch * scratch.transpose();
    rollout.references.push_back(input.reference);
    if (request.samples > 0) {
      transition.sample(input, x, random, next);
      x = next;
      next.noalias() += by_weights * weight_draws;
      for (int s = 0; s < request.samples; ++s) {
        rollout.paths[static_cast<std::size_t>(s)].col(k) = next.col(s);
      }
    }
    input.last_control = input.control;
  }
  return rollout;
}

}  // namespace ovf
