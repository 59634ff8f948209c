#include "ovf/filter/kalman_filter.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "filter/linear_problem.hpp"
#include "ovf/filter/bootstrap_particle_filter.hpp"

namespace ovf {
namespace {

using test::observe;
using test::random_problem;

// y = exp(x) + noise: its moments under a Gaussian x are known.
class ExponentialObservation : public Observation {
 public:
  explicit ExponentialObservation(double deviation) : deviation_(deviation) {}

  int state_dim() const override { return 1; }
  int observation_dim() const override { return 1; }
  const ParameterVector& parameters() const override { return parameters_; }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& /*values*/) override {}
  void log_density(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                   Eigen::VectorXd& out) const override {
    out = -0.5 * ((y[0] - x.row(0).array().exp()) / deviation_).square().transpose();
    out.array() -= 0.5 * kLogTwoPi + std::log(deviation_);
  }
  void gradient(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                Eigen::MatrixXd& out) const override {
    const Eigen::ArrayXXd mean = x.array().exp();
    out = (y[0] - mean) * mean / (deviation_ * deviation_);
  }
  void scores(const Eigen::VectorXd& /*y*/, const Eigen::MatrixXd& /*x*/,
              Eigen::Ref<Eigen::MatrixXd> /*out*/) const override {}
  void sample(const Eigen::MatrixXd& x, RandomStream& random, Eigen::MatrixXd& y) const override {
    y.resize(1, x.cols());
    random.fill_normal(y);
    y = deviation_ * y.array() + x.array().exp();
  }
  void linearise(const Gaussian& at, Linearisation method, AffineGaussian& out) const override {
    const double m = at.mean[0];
    const double variance = at.covariance()(0, 0);
    const bool tangent = method == Linearisation::kTangent;
    const double value = std::exp(tangent ? m : m + 0.5 * variance);  // and slope
    double noise = deviation_ * deviation_;
    if (method == Linearisation::kMoments) {
      noise += value * value * (std::exp(variance) - 1.0 - variance);
    }
    out.matrix = Eigen::MatrixXd::Constant(1, 1, value);
    out.offset = Eigen::VectorXd::Constant(1, value - value * m);
    out.noise = CovarianceFactor(1, CovarianceForm::kFull, std::sqrt(noise));
  }

 private:
  double deviation_;
  ParameterVector parameters_;
};

constexpr double kF = 0.9;
constexpr double kU = 0.3;
constexpr double kDeviation = 0.3;

StateSpaceModel exponential_model() {
  const LinearConditional::Spec f{"F", Eigen::MatrixXd::Constant(1, 1, kF), Learned::kNo,
                                  "U", Eigen::MatrixXd::Constant(1, 1, kU), Learned::kNo};
  return {standard_gaussian(1, CovarianceForm::kFull), std::make_unique<LinearTransition>(f),
          std::make_unique<ExponentialObservation>(kDeviation)};
}

class LinearKalman : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(DiagonalAndFull, LinearKalman, testing::Bool());

TEST_P(LinearKalman, FollowsTheTextbookRecursion) {
  const auto spec = random_problem(4, GetParam(), 61);
  const auto observations = observe(spec, 100, 61);
  KalmanFilter filter(make_linear_gaussian(spec));
  Eigen::VectorXd m = spec.prior.mean;
  Eigen::MatrixXd P = spec.prior.covariance();
  double log_evidence = 0.0;
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    if (t > 0) {
      m = spec.F * m;
      P = spec.F * P * spec.F.transpose() + spec.U;
    }
    const Eigen::VectorXd e = observations.col(t) - spec.G * m;
    const Eigen::MatrixXd S = spec.G * P * spec.G.transpose() + spec.V;
    const Eigen::MatrixXd K = P * spec.G.transpose() * S.inverse();
    m += K * e;
    P -= K * S * K.transpose();
    const double nis = e.dot(S.inverse() * e);
    log_evidence -= 0.5 * (nis + std::log(S.determinant()) + 4.0 * kLogTwoPi);

    const StepResult& result = filter.step(observations.col(t));
    ASSERT_EQ(result.status, StepStatus::kOk);
    ASSERT_EQ(result.step, t + 1);
    ASSERT_LT((filter.belief().mean - m).norm(), 1e-10);
    ASSERT_LT((filter.belief().covariance() - P).norm(), 1e-10);
    ASSERT_LT((result.innovation - e).norm(), 1e-10);
    ASSERT_NEAR(result.nis, nis, 1e-9 * (1.0 + nis));
    ASSERT_NEAR(result.elbo, log_evidence, 1e-8);
  }
}

TEST_P(LinearKalman, IsTheSameForEveryLinearisation) {
  const auto spec = random_problem(4, GetParam(), 62);
  const auto observations = observe(spec, 100, 62);
  KalmanFilter kalman(make_linear_gaussian(spec));
  KalmanFilter expected(make_linear_gaussian(spec), Linearisation::kExpected);
  KalmanFilter unscented(make_linear_gaussian(spec), Linearisation::kMoments);
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    const double elbo = kalman.step(observations.col(t)).elbo;
    for (KalmanFilter* other : {&expected, &unscented}) {
      ASSERT_EQ(other->step(observations.col(t)).elbo, elbo);
      ASSERT_EQ(other->belief().mean, kalman.belief().mean);
      ASSERT_EQ(other->belief().factor.lower(), kalman.belief().factor.lower());
    }
  }
}

// Second step by hand: the line through exp must be that of the predicted mean and variance.
TEST(UnscentedKalmanFilter, LinearisesTheObservationAtThePrediction) {
  KalmanFilter filter(exponential_model(), Linearisation::kMoments);
  ASSERT_EQ(filter.step(Eigen::VectorXd::Constant(1, 1.5)).status, StepStatus::kOk);
  const double m = kF * filter.belief().mean[0];
  const double P = kF * kF * filter.belief().covariance()(0, 0) + kU;
  const double mean = std::exp(m + 0.5 * P);
  const double variance = mean * mean * (std::exp(P) - 1.0) + kDeviation * kDeviation;
  const double covariance = mean * P;  // of x and exp(x)

  const double y = 2.5;
  const StepResult& result = filter.step(Eigen::VectorXd::Constant(1, y));
  EXPECT_NEAR(result.innovation[0], y - mean, 1e-12);
  EXPECT_NEAR(filter.belief().mean[0], m + covariance / variance * (y - mean), 1e-12);
  EXPECT_NEAR(filter.belief().covariance()(0, 0), P - covariance * covariance / variance, 1e-12);
}

TEST(UnscentedKalmanFilter, BeatsTheExtendedOneOnAStronglyNonlinearModel) {
  RandomStream random(63);
  const auto observations = simulate(exponential_model(), 200, random).observations;
  KalmanFilter extended(exponential_model());
  KalmanFilter unscented(exponential_model(), Linearisation::kMoments);
  // The truth by Monte Carlo: its own error is about 1e-2 deviations, far below what is compared.
  BootstrapParticleFilter truth(exponential_model(), {.particles = 20'000});
  double extended_error = 0.0;
  double unscented_error = 0.0;
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    ASSERT_EQ(truth.step(observations.col(t)).status, StepStatus::kOk);
    ASSERT_EQ(extended.step(observations.col(t)).status, StepStatus::kOk);
    ASSERT_EQ(unscented.step(observations.col(t)).status, StepStatus::kOk);
    extended_error += (extended.belief().mean - truth.belief().mean).squaredNorm();
    unscented_error += (unscented.belief().mean - truth.belief().mean).squaredNorm();
  }
  EXPECT_LT(unscented_error, 0.5 * extended_error);
}

TEST(RtsSmoother, SmoothsTheFilterOfItsLinearisation) {
  RandomStream random(64);
  const auto observations = simulate(exponential_model(), 30, random).observations;
  for (const auto method : {Linearisation::kTangent, Linearisation::kMoments}) {
    const auto sequence = rts_smoother(exponential_model(), observations, method);
    KalmanFilter filter(exponential_model(), method);
    double log_evidence = 0.0;
    for (Eigen::Index t = 0; t < observations.cols(); ++t) {
      log_evidence = filter.step(observations.col(t)).elbo;
      const Gaussian& filtered = sequence.filtered[static_cast<std::size_t>(t)];
      ASSERT_EQ(filtered.mean, filter.belief().mean);
      // Later observations only add information.
      const Gaussian& smoothed = sequence.smoothed[static_cast<std::size_t>(t)];
      ASSERT_LE(smoothed.covariance()(0, 0), filtered.covariance()(0, 0) + 1e-15);
    }
    EXPECT_EQ(sequence.log_evidence, log_evidence);
  }
}

TEST(KalmanFilter, MovesTheBeliefWithoutAnObservation) {
  const auto spec = random_problem(3, true, 66);
  const auto observations = observe(spec, 4, 66);
  KalmanFilter filter(make_linear_gaussian(spec));
  // x_1 has the prior.
  EXPECT_EQ(filter.skip({}).status, StepStatus::kPredicted);
  EXPECT_EQ(filter.belief().mean, spec.prior.mean);
  const double elbo = filter.step(observations.col(1)).elbo;
  const Eigen::VectorXd m = filter.belief().mean;
  const Eigen::MatrixXd P = filter.belief().covariance();
  const StepResult& result = filter.skip({});
  EXPECT_EQ(result.status, StepStatus::kPredicted);
  EXPECT_EQ(result.step, 3);
  EXPECT_EQ(result.elbo, elbo);
  EXPECT_EQ(result.elbo_increment, 0.0);
  EXPECT_EQ(result.innovation.size(), 0);
  EXPECT_LT((filter.belief().mean - spec.F * m).norm(), 1e-12);
  EXPECT_LT((filter.belief().covariance() - spec.F * P * spec.F.transpose() - spec.U).norm(),
            1e-12);
}

TEST(KalmanFilter, KeepsTheBeliefOnBadInput) {
  const auto spec = random_problem(3, true, 65);
  const auto observations = observe(spec, 10, 65);
  KalmanFilter filter(make_linear_gaussian(spec));
  KalmanFilter undisturbed(make_linear_gaussian(spec));
  const auto expect_refused = [&](const Eigen::VectorXd& y, double dt, StepStatus status,
                                  const std::string& words) {
    const StepResult result = filter.step(y, {.dt = dt, .control = {}});
    EXPECT_EQ(result.status, status);
    EXPECT_NE(result.reason.find(words), std::string::npos) << result.reason;
    EXPECT_EQ(filter.belief().mean, undisturbed.belief().mean);
    EXPECT_EQ(filter.belief().factor.lower(), undisturbed.belief().factor.lower());
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    expect_refused(Eigen::Vector3d(0.0, nan, 0.0), 1.0, StepStatus::kNotFinite, "observation[1]");
    expect_refused(Eigen::VectorXd::Zero(2), 1.0, StepStatus::kWrongSize, "has 2 numbers");
    expect_refused(observations.col(t), nan, StepStatus::kNotFinite, "dt (nan)");
    expect_refused(Eigen::VectorXd::Constant(3, 1e200), 1.0, StepStatus::kNumericalFailure,
                   "no finite density");
    const StepResult expected = undisturbed.step(observations.col(t));
    const StepResult& result = filter.step(observations.col(t));
    ASSERT_EQ(result.status, StepStatus::kOk);
    EXPECT_TRUE(result.reason.empty());
    EXPECT_EQ(result.step, t + 1);
    EXPECT_EQ(result.elbo, expected.elbo);
    EXPECT_EQ(filter.belief().mean, undisturbed.belief().mean);
  }
}

}  // namespace
}  // namespace ovf
