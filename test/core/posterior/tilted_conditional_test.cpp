#include "ovf/posterior/tilted_conditional.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <memory>

#include "math/random_inputs.hpp"
#include "ovf/model/linear_mean.hpp"
#include "ovf/model/nonlinear_observation.hpp"

namespace ovf {
namespace {

using test::all_close;

constexpr int kDraws = 20'000;
constexpr double kSpacing = 14.0 / 96.0;  // of the table, in deviations of the Gaussian part

NonlinearObservation observe_directly(NoiseKind kind, const Eigen::VectorXd& scales) {
  const int d = static_cast<int>(scales.size());
  return {std::make_unique<LinearMean>(LinearMean::identity(d)),
          ObservationNoise({.kind = kind, .scales = scales})};
}

/// N(x; prior) g(y | x), its Gaussian fit and its tilted one.
class Tilted {
 public:
  Tilted(NoiseKind kind, const Eigen::VectorXd& scales, Gaussian prior, Eigen::VectorXd y)
      : g_(observe_directly(kind, scales)), prior_(std::move(prior)), y_(std::move(y)) {
    const Eigen::MatrixXd precision = prior_.covariance().inverse();
    Gaussian q = prior_;
    ExpectedDerivatives sites;
    Eigen::MatrixXd scratch;
    // Newton's method for the sites, halved: a Student-t's curvature changes with q.
    Eigen::MatrixXd curvature = Eigen::MatrixXd::Zero(q.dim(), q.dim());
    for (int i = 0; i < 60; ++i) {
      g_.expected_derivatives(y_, q, sites);
      curvature = 0.5 * (curvature + sites.curvature);
      EXPECT_TRUE(q.factor.assign_inverse(precision + curvature, scratch));
      q.mean += 0.5 * q.covariance() * (sites.gradient - precision * (q.mean - prior_.mean));
    }
    g_.expected_derivatives(y_, q, sites);
    const Eigen::MatrixXd none;
    EXPECT_TRUE(tilted_.assign(precision, precision * prior_.mean, none, q.mean, sites, y_));
    RandomStream random(151);
    tilted_.draw(g_, Eigen::MatrixXd(0, kDraws), random, x_, log_q_);
  }

  const Eigen::MatrixXd& x() const { return x_; }
  const Eigen::VectorXd& log_q() const { return log_q_; }
  Eigen::VectorXd log_joint(const Eigen::MatrixXd& x) const {
    Eigen::VectorXd log_g, log_prior;
    g_.log_density(y_, x, log_g);
    log_density(prior_, x, log_prior);
    return log_g + log_prior;
  }
  /// log p(x, y) / q(x) of the draws.
  Eigen::ArrayXd log_weights() const { return log_joint(x_) - log_q_; }

 private:
  NonlinearObservation g_;
  Gaussian prior_;
  Eigen::VectorXd y_;
  TiltedConditional tilted_;
  Eigen::MatrixXd x_;
  Eigen::VectorXd log_q_;
};

/// Brute force: a grid of one or two dimensions over eight deviations of the prior.
struct Integrated {
  double log_evidence;
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
  double negative_entropy;  // E[log p(x | y)]
};

Integrated integrate(const Tilted& tilted, const Gaussian& prior, int points) {
  const Eigen::Index d = prior.dim();
  const Eigen::ArrayXd z = Eigen::ArrayXd::LinSpaced(points, -8.0, 8.0);
  Eigen::MatrixXd grid(d, d == 1 ? points : points * points);
  for (Eigen::Index n = 0; n < grid.cols(); ++n) {
    for (Eigen::Index i = 0; i < d; ++i) grid(i, n) = z[i == 0 ? n % points : n / points];
  }
  const Eigen::MatrixXd x = (prior.factor.lower() * grid).colwise() + prior.mean;
  const Eigen::ArrayXd log_p = tilted.log_joint(x);
  const double log_volume =
      static_cast<double>(d) * std::log(z[1] - z[0]) + prior.factor.log_determinant();
  Integrated result;
  result.log_evidence = log_p.maxCoeff() + std::log((log_p - log_p.maxCoeff()).exp().sum());
  const Eigen::VectorXd weights = (log_p - result.log_evidence).exp();
  result.log_evidence += log_volume;
  result.mean = x * weights;
  const Eigen::MatrixXd centred = x.colwise() - result.mean;
  result.covariance = centred * weights.asDiagonal() * centred.transpose();
  result.negative_entropy = weights.dot((log_p - result.log_evidence).matrix());
  return result;
}

Gaussian coupled_prior(int dim, double deviation) {
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Constant(dim, dim, 0.6);
  covariance.diagonal().setOnes();
  covariance *= deviation * deviation;
  return {Eigen::VectorXd::LinSpaced(dim, -0.1, 0.3),
          CovarianceFactor::from_covariance(covariance, CovarianceForm::kFull)};
}

void expect_moments(const Tilted& tilted, const Integrated& exact, double tolerance) {
  const Eigen::VectorXd mean = tilted.x().rowwise().mean();
  const Eigen::MatrixXd centred = tilted.x().colwise() - mean;
  const Eigen::MatrixXd covariance = centred * centred.transpose() / kDraws;
  const Eigen::VectorXd deviations = exact.covariance.diagonal().cwiseSqrt();
  const Eigen::MatrixXd scale = deviations.asDiagonal().inverse();
  EXPECT_TRUE(all_close(scale * mean, scale * exact.mean, tolerance));
  EXPECT_TRUE(all_close(scale * covariance * scale, scale * exact.covariance * scale, tolerance));
}

// Means are known to 1 / sqrt(draws) = 0.007 of a deviation, variances to 0.01: four errors.
constexpr double kMomentError = 0.04;

TEST(TiltedConditional, IsTheGaussianPosteriorOfAGaussianObservation) {
  for (const int d : {1, 2, 4}) {
    const Gaussian prior = coupled_prior(d, 0.2);
    const Eigen::VectorXd scales = Eigen::VectorXd::LinSpaced(d, 0.2, 0.3);
    const Eigen::VectorXd y = Eigen::VectorXd::LinSpaced(d, 0.4, -0.2);
    const Tilted tilted(NoiseKind::kGaussian, scales, prior, y);
    const Eigen::MatrixXd noise_precision = scales.cwiseAbs2().cwiseInverse().asDiagonal();
    const Eigen::MatrixXd covariance = (prior.covariance().inverse() + noise_precision).inverse();
    const Eigen::VectorXd mean =
        covariance * (prior.covariance().inverse() * prior.mean + noise_precision * y);
    expect_moments(tilted, {0.0, mean, covariance, 0.0}, kMomentError);

    const Gaussian posterior{mean,
                             CovarianceFactor::from_covariance(covariance, CovarianceForm::kFull)};
    Eigen::VectorXd exact;
    log_density(posterior, tilted.x(), exact);
    // On average to 1e-3 nats. At a point the straight lines of the table are off by up to
    // h^2 / 8 |z^2 - 1| in each coordinate, h in deviations of the posterior.
    EXPECT_NEAR((tilted.log_q() - exact).mean(), 0.0, 1e-3);
    Eigen::MatrixXd z = tilted.x().colwise() - mean;
    posterior.factor.whiten(z);
    const double h = kSpacing * std::sqrt(2.0);
    const Eigen::ArrayXd allowed = h * h / 8.0 * (z.colwise().squaredNorm().array() + d) * 1.5;
    EXPECT_TRUE(((tilted.log_q() - exact).array().abs() <= allowed + 1e-3).all()) << "d = " << d;
  }
}

TEST(TiltedConditional, IsTheExactPosteriorOfOneStudentT) {
  const Gaussian prior = coupled_prior(1, 0.2);
  // Near, two deviations, an outlier: with the middle one the posterior is skewed.
  for (const double y : {0.0, 0.5, 3.0}) {
    const Tilted tilted(NoiseKind::kStudentT, Eigen::VectorXd::Constant(1, 0.1), prior,
                        Eigen::VectorXd::Constant(1, y));
    const Integrated exact = integrate(tilted, prior, 4001);
    expect_moments(tilted, exact, kMomentError);
    // The deviation of log q is about 0.7: four errors of 20000 draws.
    EXPECT_NEAR(tilted.log_q().mean(), exact.negative_entropy, 0.02);
    // KL(q || p) in nats: what the table leaves.
    EXPECT_NEAR(tilted.log_weights().mean(), exact.log_evidence, 1e-3) << "y = " << y;
    EXPECT_NEAR(std::log(tilted.log_weights().exp().mean()), exact.log_evidence, 1e-3);
  }
}

TEST(TiltedConditional, IsCloseToTheExactPosteriorOfTwoCoupledStudentTs) {
  const Gaussian prior = coupled_prior(2, 0.2);
  for (const auto& y :
       {Eigen::Vector2d(0.1, 0.2), Eigen::Vector2d(0.5, -0.2), Eigen::Vector2d(-2.0, 0.4)}) {
    const Tilted tilted(NoiseKind::kStudentT, Eigen::Vector2d(0.1, 0.15), prior, y);
    const Integrated exact = integrate(tilted, prior, 801);
    // The Gaussian site of the coordinate that is not drawn yet costs a tenth of a deviation.
    expect_moments(tilted, exact, 0.1 + kMomentError);
    EXPECT_NEAR(tilted.log_q().mean(), exact.negative_entropy, 0.1);
    EXPECT_NEAR(tilted.log_weights().mean(), exact.log_evidence, 0.03) << y.transpose();
    // The weights know nothing of sites: the same evidence if log q is the density of the draws.
    EXPECT_NEAR(std::log(tilted.log_weights().exp().mean()), exact.log_evidence, 0.01);
  }
}

TEST(TiltedConditional, IsThePriorForAnOutlierFarAway) {
  const Gaussian prior = coupled_prior(2, 0.2);
  for (const double y : {1e3, -1e6, 1e12, 1e100}) {
    const Tilted tilted(NoiseKind::kStudentT, Eigen::Vector2d(0.1, 0.1), prior,
                        Eigen::Vector2d(y, -y));
    expect_moments(tilted, {0.0, prior.mean, prior.covariance(), 0.0}, kMomentError);
    Eigen::VectorXd log_prior;
    log_density(prior, tilted.x(), log_prior);
    EXPECT_NEAR((tilted.log_q() - log_prior).mean(), 0.0, 1e-3) << "y = " << y;
  }
}

TEST(TiltedConditional, HasEvenWeightsInThreeCoupledDimensions) {
  const Tilted tilted(NoiseKind::kStudentT, Eigen::Vector3d(0.1, 0.1, 0.2), coupled_prior(3, 0.2),
                      Eigen::Vector3d(0.3, -0.4, 0.2));
  const Eigen::ArrayXd log_weights = tilted.log_weights();
  const Eigen::ArrayXd weights = (log_weights - log_weights.maxCoeff()).exp();
  const double effective = weights.sum() * weights.sum() / weights.square().sum();
  EXPECT_GT(effective, 0.9 * kDraws);
}

// A sensor much sharper than the prediction: the first fix of a robot that knows nothing.
TEST(TiltedConditional, ResolvesASharpObservation) {
  const Gaussian prior = coupled_prior(1, 1.0);
  for (const double scale : {0.1, 0.03, 0.01}) {
    const Tilted tilted(NoiseKind::kStudentT, Eigen::VectorXd::Constant(1, scale), prior,
                        Eigen::VectorXd::Constant(1, 0.37));
    const Integrated exact = integrate(tilted, prior, 40'001);
    EXPECT_NEAR(tilted.log_weights().mean(), exact.log_evidence, 0.02) << "scale " << scale;
    expect_moments(tilted, exact, 2.0 * kMomentError);
  }
}

TEST(TiltedConditional, MovesWithItsInput) {
  const NonlinearObservation g = observe_directly(NoiseKind::kGaussian, Eigen::Vector2d(0.3, 0.5));
  const Eigen::VectorXd y = Eigen::Vector2d(0.2, -0.1);
  test::RandomInputs inputs(152);
  const Eigen::MatrixXd precision = inputs.covariance(2, CovarianceForm::kFull) * 10.0;
  const Eigen::VectorXd information = inputs.vector(2);
  const Eigen::MatrixXd by_input = inputs.matrix(2, 3);
  ExpectedDerivatives sites;
  const Gaussian anywhere = inputs.gaussian(2, CovarianceForm::kFull);
  g.expected_derivatives(y, anywhere, sites);
  TiltedConditional tilted;
  ASSERT_TRUE(tilted.assign(precision, information, by_input, anywhere.mean, sites, y));

  const Eigen::VectorXd v = inputs.vector(3);
  const Eigen::MatrixXd noise_precision = Eigen::Vector2d(0.09, 0.25).cwiseInverse().asDiagonal();
  const Eigen::MatrixXd covariance = (precision + noise_precision).inverse();
  const Eigen::VectorXd mean = covariance * (information + by_input * v + noise_precision * y);
  RandomStream random(153);
  Eigen::MatrixXd x;
  Eigen::VectorXd log_q;
  tilted.draw(g, v.replicate(1, kDraws), random, x, log_q);
  const Eigen::VectorXd deviations = covariance.diagonal().cwiseSqrt();
  const Eigen::VectorXd error = (x.rowwise().mean() - mean).cwiseQuotient(deviations);
  EXPECT_LT(error.cwiseAbs().maxCoeff(), kMomentError);
}

TEST(TiltedConditional, RefusesAPrecisionThatIsNotPositiveDefinite) {
  ExpectedDerivatives sites;
  sites.gradient = Eigen::Vector2d::Zero();
  sites.curvature = -2.0 * Eigen::Matrix2d::Identity();
  const Eigen::VectorXd zero = Eigen::Vector2d::Zero();
  const Eigen::MatrixXd none;
  TiltedConditional tilted;
  EXPECT_FALSE(tilted.assign(Eigen::Matrix2d::Identity(), zero, none, zero, sites, zero));
  EXPECT_TRUE(tilted.assign(3.0 * Eigen::Matrix2d::Identity(), zero, none, zero, sites, zero));
}

}  // namespace
}  // namespace ovf
