// Propositions 1-3 of the paper on a short sequence: every recursion against brute force, for a
// posterior that is deliberately not optimal.
#include <gtest/gtest.h>

#include "filter/brute_force_elbo.hpp"
#include "filter/linear_problem.hpp"
#include "ovf/filter/quadratic_value.hpp"
#include "ovf/filter/stochastic_gradient.hpp"
#include "ovf/math/gradient_check.hpp"
#include "ovf/posterior/affine_kernel.hpp"

namespace ovf {
namespace {

using test::brute_force_elbo;
using test::brute_force_value;
using test::Phi;
using test::phi_of;

constexpr int kDim = 2;
constexpr int kSteps = 4;

class Propositions : public testing::TestWithParam<CovarianceForm> {
 protected:
  Propositions() : spec_(test::random_problem(kDim, true, 11)) {
    spec_.learn_F = spec_.learn_G = spec_.learn_U = spec_.learn_V = Learned::kFull;
    observations_ = test::observe(spec_, kSteps, 11);
    // A few coarse steps with large noise: far from the optimum, so that V, T and S all matter.
    config_.inference = InferenceMethod::kReparameterised;
    config_.marginal = GetParam();
    config_.kernel = KernelFamily::kAffineFull;
    config_.kernel_noise = GetParam();
    config_.reparameterised.iterations = 15;
    config_.reparameterised.samples = 2;
    config_.reparameterised.learning_rate = 0.05;
    config_.reparameterised.first_learning_rate = 0.05;
    config_.learning.rule = LearningRule::kGradient;
    config_.learning.burn_in = 1000;  // scores, but no steps of theta
  }

  LinearGaussianSpec spec_;
  Eigen::MatrixXd observations_;
  OnlineVariationalFilterConfig config_;
  std::vector<Phi> phi_;
};
INSTANTIATE_TEST_SUITE_P(MeanFieldAndFull, Propositions,
                         testing::Values(CovarianceForm::kDiagonal, CovarianceForm::kFull));

TEST_P(Propositions, OneTheElboIsTheMeanOfTheValueFunction) {
  OnlineVariationalFilter filter(make_linear_gaussian(spec_), config_);
  for (int t = 0; t < kSteps; ++t) {
    const double elbo = filter.step(observations_.col(t)).elbo;
    phi_.push_back(phi_of(filter.record()));
    EXPECT_NEAR(elbo, brute_force_elbo(spec_, observations_, phi_), 1e-9) << "step " << t;
  }
}

TEST_P(Propositions, TwoTheScoreIncrementsAddUpToTheGradientInTheta) {
  OnlineVariationalFilter filter(make_linear_gaussian(spec_), config_);
  const Eigen::VectorXd theta = filter.parameters();
  Eigen::VectorXd score = Eigen::VectorXd::Zero(theta.size());
  for (int t = 0; t < kSteps; ++t) {
    filter.step(observations_.col(t));
    phi_.push_back(phi_of(filter.record()));
    score += filter.score_increment().gradient;
    const auto elbo = [&](const Eigen::VectorXd& values) {
      auto model = make_linear_gaussian(spec_);
      model.set_parameters(values);
      AffineGaussian f;
      AffineGaussian g;
      model.transition().linearise({}, spec_.prior, Linearisation::kTangent, f);
      model.observation().linearise(spec_.prior, Linearisation::kTangent, g);
      LinearGaussianSpec moved = spec_;
      moved.F = f.matrix;
      moved.G = g.matrix;
      moved.U = f.noise.covariance();
      moved.V = g.noise.covariance();
      return brute_force_elbo(moved, observations_, phi_);
    };
    const Eigen::VectorXd expected = numerical_gradient(elbo, theta, 1e-6);
    EXPECT_LT((score - expected).norm(), 1e-5 * expected.norm()) << "step " << t;
  }
}

// The gradient estimate averaged exactly: with a linear T it is at most quadratic in the noise, and
// the points +-sqrt(n) e_i integrate quadratics of n standard normals exactly.
TEST_P(Propositions, ThreeTheGradientInPhiFollowsFromT) {
  for (const bool path_derivative : {false, true}) {
    phi_.clear();
    auto model = make_linear_gaussian(spec_);
    QuadraticValue value(kDim, true);
    ReparameterisedConfig sampling = config_.reparameterised;
    sampling.path_derivative = path_derivative;
    StochasticGradient gradient(sampling, true, 5);

    const int n = 2 * kDim;
    Eigen::MatrixXd points(n, 2 * n);
    points << Eigen::MatrixXd::Identity(n, n), -Eigen::MatrixXd::Identity(n, n);
    points *= std::sqrt(static_cast<double>(n));

    StepRecord record;
    record.previous = spec_.prior;
    record.marginal = FilterMarginal(standard_gaussian(kDim, GetParam()));
    record.kernel = std::make_unique<AffineKernel>(kDim, CovarianceForm::kFull, GetParam());
    RandomStream random(6);
    for (int t = 0; t < kSteps; ++t) {
      record.first = t == 0;
      record.y = observations_.col(t);
      // Any phi_t will do: draw one.
      const auto marginal_count = record.marginal.parameter_count();
      const auto kernel_count = t == 0 ? 0 : record.kernel->parameter_count();
      Eigen::VectorXd phi(marginal_count + kernel_count);
      for (double& number : phi) number = 0.4 * random.normal();
      const auto assign = [&](const Eigen::VectorXd& numbers) {
        record.marginal.write_parameters(numbers.head(marginal_count));
        if (t > 0) record.kernel->write_parameters(numbers.tail(kernel_count));
      };
      assign(phi);

      Eigen::VectorXd estimate;
      gradient.gradient(model, value, record, points.topRows(kDim), points.bottomRows(kDim),
                        estimate);
      phi_.push_back(phi_of(record));
      const auto elbo = [&](const Eigen::VectorXd& numbers) {
        assign(numbers);
        phi_.back() = phi_of(record);
        return brute_force_elbo(spec_, observations_, phi_);
      };
      const Eigen::VectorXd expected = numerical_gradient(elbo, phi, 1e-6);
      EXPECT_LT((estimate - expected).norm(), 1e-5 * (1.0 + expected.norm())) << "step " << t;

      assign(phi);
      phi_.back() = phi_of(record);
      AffineGaussian transition;
      model.transition().linearise({}, record.previous, Linearisation::kTangent, transition);
      const std::vector<const StepRecord*> chain{&record};
      value.update({model, record, chain, transition});
      value.commit();

      // And T_t itself is the gradient of V_t.
      const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(kDim, -0.7, 0.9);
      Eigen::MatrixXd T;
      ASSERT_TRUE(value.state_gradient(model, x, T));
      const auto V = [&](const Eigen::VectorXd& at) {
        return brute_force_value(spec_, observations_, phi_, at);
      };
      const Eigen::VectorXd slope = numerical_gradient(V, x, 1e-6);
      EXPECT_LT((T - slope).norm(), 1e-5 * (1.0 + slope.norm())) << "step " << t;

      record.previous = record.marginal.gaussian();
    }
  }
}

}  // namespace
}  // namespace ovf
