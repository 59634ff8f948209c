#include "ovf/filter/predictive_value.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "filter/brute_force_elbo.hpp"
#include "filter/linear_problem.hpp"
#include "math/random_inputs.hpp"
#include "ovf/evaluation/chaotic_rnn_problem.hpp"
#include "ovf/filter/kalman_filter.hpp"
#include "ovf/math/gradient_check.hpp"

namespace ovf {
namespace {

using test::all_close;

// Rounding of ten steps of well-conditioned algebra.
constexpr double kRounding = 1e-9;

/// A filter, and a V of the test's own that follows its records.
class Followed {
 public:
  Followed(StateSpaceModel model, OnlineVariationalFilterConfig config, bool recursive = true)
      : filter_(std::move(model), without_learning(config)),
        value_(filter_.model().state_dim(), recursive, 0) {}

  /// The ELBO estimate E_{q_t}[V_t]; an empty y stands for none.
  double update(const Eigen::VectorXd& y) {
    const Gaussian before = filter_.belief();
    const StepResult& result = y.size() > 0 ? filter_.step(y) : filter_.skip({});
    EXPECT_TRUE(result.ok()) << result.reason;
    filter_.model().transition().linearise({}, before, Linearisation::kExpected, transition_);
    const std::vector<const StepRecord*> chain{&filter_.record()};
    return value_.update({filter_.model(), filter_.record(), chain, transition_});
  }
  double step(const Eigen::VectorXd& y) {
    const double elbo = update(y);
    value_.commit();
    return elbo;
  }
  Eigen::MatrixXd state_gradient(const Eigen::MatrixXd& x) {
    Eigen::MatrixXd out;
    EXPECT_TRUE(value_.state_gradient(filter_.model(), x, out));
    return out;
  }
  /// Where q_t puts the state.
  Eigen::MatrixXd draws(int count) const {
    test::RandomInputs inputs(161);
    const Eigen::MatrixXd z = inputs.matrix(filter_.belief().dim(), count);
    return (filter_.belief().factor.lower() * z).colwise() + filter_.belief().mean;
  }

  const OnlineVariationalFilter& filter() const { return filter_; }
  PredictiveValue& value() { return value_; }

 private:
  static OnlineVariationalFilterConfig without_learning(OnlineVariationalFilterConfig config) {
    config.learning.rule = LearningRule::kNone;
    return config;
  }

  OnlineVariationalFilter filter_;
  PredictiveValue value_;
  AffineGaussian transition_;
};

OnlineVariationalFilterConfig mean_field() {
  auto config = OnlineVariationalFilterConfig::fast();
  config.marginal = CovarianceForm::kDiagonal;
  return config;
}

TEST(PredictiveValue, IsTheLogEvidenceForTheExactPosterior) {
  const auto spec = test::random_problem(4, true, 61);
  const auto observations = test::observe(spec, 10, 61);
  KalmanFilter exact(make_linear_gaussian(spec));
  Followed followed(make_linear_gaussian(spec), OnlineVariationalFilterConfig::fast());
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    const double evidence = exact.step(observations.col(t)).elbo;
    EXPECT_NEAR(followed.step(observations.col(t)), evidence, kRounding) << "step " << t;
  }
}

// Then V is the same constant everywhere.
TEST(PredictiveValue, HasNoStateGradientForTheExactPosterior) {
  const auto spec = test::random_problem(4, true, 62);
  const auto observations = test::observe(spec, 10, 62);
  Followed followed(make_linear_gaussian(spec), OnlineVariationalFilterConfig::fast());
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    followed.step(observations.col(t));
    // Differences of gradients of the order of 1 / deviation, about 30.
    EXPECT_LT(followed.state_gradient(followed.draws(20)).cwiseAbs().maxCoeff(), 1e-8);
  }
}

class MeanFieldValue : public testing::Test {
 protected:
  void step(Eigen::Index t) {
    elbo_ = followed_.step(observations_.col(t));
    phi_.push_back(test::phi_of(followed_.filter().record()));
  }

  LinearGaussianSpec spec_ = test::random_problem(3, true, 63);
  Eigen::MatrixXd observations_ = test::observe(spec_, 8, 63);
  Followed followed_{make_linear_gaussian(spec_), mean_field()};
  std::vector<test::Phi> phi_;
  double elbo_ = 0.0;
};

TEST_F(MeanFieldValue, IsTheElboWithoutAnyRecursion) {
  for (Eigen::Index t = 0; t < observations_.cols(); ++t) {
    step(t);
    const double exact = test::brute_force_elbo(spec_, observations_.leftCols(t + 1), phi_);
    EXPECT_NEAR(elbo_, exact, kRounding) << "step " << t;
  }
}

TEST_F(MeanFieldValue, HasTheNumericalGradientOfTheBruteForceValue) {
  for (Eigen::Index t = 0; t < observations_.cols(); ++t) step(t);
  const auto value = [&](const Eigen::VectorXd& x) {
    return test::brute_force_value(spec_, observations_, phi_, x);
  };
  const Eigen::MatrixXd x = followed_.draws(5);
  const Eigen::MatrixXd gradient = followed_.state_gradient(x);
  EXPECT_GT(gradient.cwiseAbs().maxCoeff(), 0.1);
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    EXPECT_TRUE(all_close(gradient.col(i), numerical_gradient(value, x.col(i)), 1e-6));
  }
}

// T_t is the gradient of log prediction + log g - log q, whatever g is.
TEST(PredictiveValue, HasTheNumericalGradientForAStudentT) {
  const auto problem = random_chaotic_rnn_problem(3, 6, 64);
  for (const auto& config : {OnlineVariationalFilterConfig::fast(), mean_field()}) {
    Followed followed(make_chaotic_rnn(problem.spec), config);
    for (Eigen::Index t = 0; t < problem.observations.cols(); ++t) {
      followed.step(problem.observations.col(t));
      const StepRecord& record = followed.filter().record();
      const auto value = [&](const Eigen::VectorXd& x) {
        Eigen::VectorXd predicted, observed, marginal;
        log_density(record.prediction, x, predicted);
        followed.filter().model().observation().log_density(record.y, x, observed);
        log_density(record.marginal.gaussian(), x, marginal);
        return predicted[0] + observed[0] - marginal[0];
      };
      const Eigen::MatrixXd x = followed.draws(4);
      const Eigen::MatrixXd gradient = followed.state_gradient(x);
      EXPECT_GT(gradient.cwiseAbs().maxCoeff(), 0.1);
      for (Eigen::Index i = 0; i < x.cols(); ++i) {
        EXPECT_TRUE(all_close(gradient.col(i), numerical_gradient(value, x.col(i)), 1e-6));
      }
    }
  }
}

TEST(PredictiveValue, CountsNoLikelihoodWithoutAnObservation) {
  const auto spec = test::random_problem(3, true, 65);
  const auto observations = test::observe(spec, 9, 65);
  KalmanFilter exact(make_linear_gaussian(spec));
  Followed followed(make_linear_gaussian(spec), OnlineVariationalFilterConfig::fast());
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    const bool observed = t % 3 == 1;
    const double evidence = observed ? exact.step(observations.col(t)).elbo : exact.skip({}).elbo;
    const double elbo = followed.step(observed ? observations.col(t) : Eigen::VectorXd());
    EXPECT_NEAR(elbo, evidence, kRounding) << "step " << t;
    EXPECT_LT(followed.state_gradient(followed.draws(5)).cwiseAbs().maxCoeff(), 1e-8);
  }
}

TEST(PredictiveValue, ChangesOnlyByACommit) {
  const auto problem = random_chaotic_rnn_problem(3, 3, 66);
  Followed followed(make_chaotic_rnn(problem.spec), OnlineVariationalFilterConfig::fast());
  followed.step(problem.observations.col(0));
  const Eigen::MatrixXd x = followed.draws(5);
  const Eigen::MatrixXd before = followed.state_gradient(x);
  followed.update(problem.observations.col(1));
  EXPECT_EQ(followed.state_gradient(x), before);
  followed.value().commit();
  EXPECT_NE(followed.state_gradient(x), before);
}

// As in the AELBOs: the sum of the rewards' expectations.
TEST(PredictiveValue, HasNoStateGradientWhenItIsNotRecursive) {
  const auto spec = test::random_problem(3, true, 67);
  const auto observations = test::observe(spec, 6, 67);
  auto config = OnlineVariationalFilterConfig::fast();
  config.objective = Objective::kAelbo2;
  const double evidence = rts_smoother(make_linear_gaussian(spec), observations).log_evidence;
  Followed followed(make_linear_gaussian(spec), config, false);
  double elbo = 0.0;
  for (Eigen::Index t = 0; t < observations.cols(); ++t) elbo = followed.step(observations.col(t));
  EXPECT_NEAR(elbo, evidence, kRounding);
  Eigen::MatrixXd out;
  EXPECT_FALSE(followed.value().state_gradient(followed.filter().model(), followed.draws(1), out));
}

}  // namespace
}  // namespace ovf
