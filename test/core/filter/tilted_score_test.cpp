// The scores of a tilted posterior against the derivative of the exact log likelihood, which in one
// dimension is a sum over a grid.
#include "ovf/filter/tilted_score.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/model/chaotic_rnn_model.hpp"

namespace ovf {
namespace {

using Eigen::ArrayXd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kSteps = 4000;
constexpr int kMissing = 7;  // one in so many observations

StateSpaceModel model() {
  ChaoticRnnSpec spec;
  spec.W = MatrixXd::Constant(1, 1, 0.8);
  spec.learn_process_noise = spec.learn_observation_scale = spec.learn_nu = true;
  return make_chaotic_rnn(spec);
}

// log p(y) of heavy-tailed observations, one in seven missing, by a filter on a grid.
double log_likelihood(const VectorXd& theta, const MatrixXd& y) {
  StateSpaceModel exact = model();
  exact.set_parameters(theta);
  constexpr int kPoints = 800;
  constexpr double kReach = 4.0;
  const Eigen::RowVectorXd x = Eigen::RowVectorXd::LinSpaced(kPoints, -kReach, kReach);
  const double width = x[1] - x[0];
  MatrixXd move(kPoints, kPoints);  // f from column to row
  VectorXd values;
  for (int from = 0; from < kPoints; ++from) {
    exact.transition().log_density({}, MatrixXd::Constant(1, kPoints, x[from]), x, values);
    move.col(from) = values.array().exp() * width;
  }
  const double prior = exact.prior().factor.lower()(0, 0);
  VectorXd belief = (-0.5 * (x.array() / prior).square()).exp().transpose();
  belief /= belief.sum();
  double sum = 0.0;
  for (Eigen::Index t = 0; t < y.cols(); ++t) {
    if (t > 0) belief = (move * belief).eval();
    if (t % kMissing == 3) continue;
    exact.observation({}).log_density(y.col(t), x, values);
    belief = belief.array() * values.array().exp();
    sum += std::log(belief.sum());
    belief /= belief.sum();
  }
  return sum;
}

struct Increments {
  VectorXd score;
  MatrixXd information;
};

Increments increments(OnlineVariationalFilterConfig config, const MatrixXd& y) {
  config.learning.burn_in = 1'000'000;
  OnlineVariationalFilter filter(model(), config);
  Increments sum{VectorXd::Zero(3), MatrixXd::Zero(3, 3)};
  for (Eigen::Index t = 0; t < y.cols(); ++t) {
    const StepResult& result = t % kMissing == 3 ? filter.skip({}) : filter.step(y.col(t));
    EXPECT_TRUE(result.ok()) << result.reason;
    sum.score += filter.score_increment().gradient;
    if (t % kMissing != 3) sum.information += filter.score_increment().information;
  }
  return sum;
}

// In standard deviations of the estimate: how far theta would be led astray.
VectorXd errors(const Increments& sum, const VectorXd& exact) {
  const VectorXd shift = sum.information.llt().solve(sum.score - exact);
  return shift.array() / sum.information.inverse().diagonal().array().sqrt();
}

TEST(TiltedScore, IsTheDerivativeOfTheLogLikelihood) {
  RandomStream random(5, 1);
  const MatrixXd y = simulate(model(), kSteps, random).observations;
  const VectorXd theta = model().parameters().values();
  VectorXd exact(3);
  for (int j = 0; j < 3; ++j) {
    const double step = 1e-4 * theta[j];
    const VectorXd direction = step * VectorXd::Unit(3, j);
    exact[j] = (log_likelihood(theta + direction, y) - log_likelihood(theta - direction, y)) /
               (2.0 * step);
  }
  const auto largest_error = [&](const OnlineVariationalFilterConfig& config) {
    return errors(increments(config, y), exact).cwiseAbs().maxCoeff();
  };
  // What is left is that of 30 draws a step and of the Gaussian before the last two states. In
  // 6000 steps 0.15 and 1.7 were seen.
  const double tilted = largest_error(OnlineVariationalFilterConfig::accurate());
  EXPECT_LT(tilted, 0.5);
  EXPECT_LT(tilted, 0.5 * largest_error(OnlineVariationalFilterConfig::fast()));
}

}  // namespace
}  // namespace ovf
