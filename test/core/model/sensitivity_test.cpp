// How predictions move with theta: every model's sensitivity against numerical differences.
#include "ovf/model/sensitivity.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "math/random_inputs.hpp"
#include "ovf/model/chaotic_rnn.hpp"
#include "ovf/model/linear_mean.hpp"
#include "ovf/model/nonlinear_observation.hpp"
#include "ovf/model/nonlinear_transition.hpp"
#include "ovf/model/sensor_suite.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

constexpr int kDim = 3;
constexpr double kStep = 1e-5;

Gaussian some_belief() {
  RandomInputs inputs(51);
  const Eigen::MatrixXd half = inputs.matrix(kDim, kDim);
  return {inputs.vector(kDim),
          CovarianceFactor::from_covariance(
              0.2 * half * half.transpose() + 0.1 * Eigen::MatrixXd::Identity(kDim, kDim),
              CovarianceForm::kFull)};
}

struct Moments {
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
};

Moments moments_of(const AffineGaussian& line, const Gaussian& at) {
  const Eigen::MatrixXd spread = line.matrix * at.factor.lower();
  return {line.offset + line.matrix * at.mean,
          spread * spread.transpose() + line.noise.covariance()};
}

// `exact`: how a Gaussian noise moves; a Student-t's is weaker by the root of its Gaussian share.
void check(const Sensitivity& sensitivity, const Eigen::VectorXd& theta,
           const std::function<Moments(const Eigen::VectorXd&)>& moments, double share) {
  for (Eigen::Index j = 0; j < theta.size(); ++j) {
    Eigen::VectorXd shift = Eigen::VectorXd::Zero(theta.size());
    shift[j] = kStep * std::max(1.0, std::abs(theta[j]));
    const Moments above = moments(theta + shift);
    const Moments below = moments(theta - shift);
    Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(above.mean.size(), above.mean.size());
    for (std::size_t k = 0; k < sensitivity.parameter.size(); ++k) {
      if (sensitivity.parameter[k] != j) continue;
      const auto column = static_cast<Eigen::Index>(k);
      covariance += sensitivity.left.col(column) * sensitivity.right.col(column).transpose();
      covariance += sensitivity.right.col(column) * sensitivity.left.col(column).transpose();
    }
    EXPECT_TRUE(
        all_close(sensitivity.mean.col(j), (above.mean - below.mean) / (2.0 * shift[j]), 1e-6))
        << j;
    EXPECT_TRUE(all_close(covariance,
                          share * (above.covariance - below.covariance) / (2.0 * shift[j]), 1e-6))
        << j;
  }
}

void check_transition(NonlinearTransition& f) {
  const Gaussian at = some_belief();
  StepInput input;
  input.dt = 0.3;
  Sensitivity sensitivity;
  f.sensitivity(input, at, sensitivity);
  const Eigen::VectorXd theta = f.parameters().values();
  check(
      sensitivity, theta,
      [&](const Eigen::VectorXd& values) {
        f.set_parameters(values);
        AffineGaussian line;
        f.linearise(input, at, Linearisation::kExpected, line);
        return moments_of(line, at);
      },
      1.0);
}

std::unique_ptr<ChaoticRnn> network() {
  ChaoticRnn::Spec spec;
  spec.W = RandomInputs(52).matrix(kDim, kDim);
  spec.delta = 0.3;
  spec.tau = 1.0;
  spec.learn_W = spec.learn_gamma = spec.learn_tau = true;
  return std::make_unique<ChaoticRnn>(spec);
}

TEST(Sensitivity, OfATransitionWithGroupsOfNoise) {
  NonlinearTransition f(network(), ProcessNoise{.deviations = Eigen::Vector3d(0.3, 0.5, 0.3),
                                                .learned_as = {"drift", "slip", "drift"}});
  check_transition(f);
}

TEST(Sensitivity, OfATransitionWithOneScaleOfAFullCovariance) {
  const Eigen::MatrixXd half = RandomInputs(53).matrix(kDim, kDim);
  NonlinearTransition f(network(), half * half.transpose() + Eigen::MatrixXd::Identity(kDim, kDim),
                        LearnedScale::kShared);
  check_transition(f);
}

void check_observation(Observation& g, double share) {
  const Gaussian at = some_belief();
  Sensitivity sensitivity;
  g.sensitivity(at, sensitivity);
  const Eigen::VectorXd theta = g.parameters().values();
  check(
      sensitivity, theta,
      [&](const Eigen::VectorXd& values) {
        g.set_parameters(values);
        AffineGaussian line;
        g.linearise(at, Linearisation::kExpected, line);
        return moments_of(line, at);
      },
      share);
}

TEST(Sensitivity, OfAnObservationWithALearnedMatrix) {
  LinearMean::Spec mean;
  mean.A = RandomInputs(54).matrix(2, kDim);
  mean.learn_A = Learned::kFull;
  mean.learn_b = true;
  NonlinearObservation g(
      std::make_unique<LinearMean>(mean),
      ObservationNoise({.scales = Eigen::Vector2d(0.3, 0.7), .learn_scale = LearnedScale::kEach}));
  check_observation(g, 1.0);
}

TEST(Sensitivity, OfStudentTNoiseIsItsShareOfAGaussians) {
  NonlinearObservation g(std::make_unique<LinearMean>(LinearMean::identity(kDim)),
                         ObservationNoise({.kind = NoiseKind::kStudentT,
                                           .scales = Eigen::Vector3d(0.3, 0.7, 0.2),
                                           .nu = 4.0,
                                           .learn_scale = LearnedScale::kShared}));
  check_observation(g, std::sqrt(student_t_information(4.0, 1).gaussian_share));
}

std::unique_ptr<Sensor> sensor(const char* name, double nu) {
  return std::make_unique<Sensor>(
      Sensor::Spec{.name = name,
                   .mean = std::make_unique<LinearMean>(LinearMean::identity(kDim)),
                   .noise = {.scales = Eigen::Vector3d(0.3, 0.7, 0.2),
                             .floors = Eigen::Vector3d(0.1, 0.0, 0.4),
                             .learn_scales = true,
                             .nu = nu},
                   .angles = {}});
}

TEST(Sensitivity, OfOneSensorOfSeveral) {
  for (const double nu : {0.0, 3.0}) {
    std::vector<std::unique_ptr<Sensor>> sensors;
    sensors.push_back(sensor("first", 0.0));
    sensors.push_back(sensor("second", nu));
    SensorSuite suite(std::move(sensors));
    StepInput input;
    input.sensor = 1;
    input.message_noise = Eigen::Matrix3d{{1.0, 0.0, 0.0}, {0.3, 0.8, 0.0}, {-0.2, 0.1, 1.5}};
    suite.bind(input);
    check_observation(suite,
                      nu == 0.0 ? 1.0 : std::sqrt(student_t_information(nu, 3).gaussian_share));
  }
}

}  // namespace
}  // namespace ovf
