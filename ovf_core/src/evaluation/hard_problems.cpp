#include "ovf/evaluation/hard_problems.hpp"

#include <cmath>
#include <memory>
#include <utility>

#include "ovf/model/function_mean.hpp"
#include "ovf/model/linear_mean.hpp"
#include "ovf/model/nonlinear_observation.hpp"
#include "ovf/model/nonlinear_transition.hpp"

namespace ovf {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::uint64_t kStream = 21;

std::unique_ptr<FunctionMean> function(int from, int to,
                                       std::function<VectorXd(const VectorXd&)> value) {
  return std::make_unique<FunctionMean>(FunctionMean::Spec{
      .input_dim = from,
      .output_dim = to,
      .value = [value = std::move(value)](const VectorXd& x, const VectorXd&, const StepInput&) {
        return value(x);
      }});
}

Gaussian normal(const VectorXd& mean, const VectorXd& deviations) {
  Gaussian out = standard_gaussian(static_cast<int>(mean.size()), CovarianceForm::kFull);
  out.mean = mean;
  out.factor.lower() = deviations.asDiagonal();
  return out;
}

ObservationNoise gaussian_noise(const VectorXd& deviations) {
  return ObservationNoise({.kind = NoiseKind::kGaussian, .scales = deviations});
}

StateSpaceModel assemble(Gaussian prior, std::unique_ptr<MeanFunction> f, const MatrixXd& Q,
                         std::unique_ptr<MeanFunction> h, ObservationNoise noise) {
  return {std::move(prior), std::make_unique<NonlinearTransition>(std::move(f), Q),
          std::make_unique<NonlinearObservation>(std::move(h), std::move(noise))};
}

std::unique_ptr<MeanFunction> linear(const MatrixXd& matrix) {
  return std::make_unique<LinearMean>(LinearMean::Spec{.A = matrix, .b = {}});
}

// The univariate non-stationary growth model: y sees the square of x, so that its sign is hidden.
StateSpaceModel growth() {
  auto f = std::make_unique<FunctionMean>(FunctionMean::Spec{
      .input_dim = 1,
      .output_dim = 1,
      .value = [](const VectorXd& x, const VectorXd&, const StepInput& input) -> VectorXd {
        return 0.5 * x + 25.0 * x / (1.0 + x[0] * x[0]) +
               VectorXd::Constant(1, 8.0 * std::cos(1.2 * input.control[0]));
      }});
  auto h = function(1, 1, [](const VectorXd& x) -> VectorXd { return x * (x[0] / 20.0); });
  return assemble(normal(VectorXd::Zero(1), VectorXd::Constant(1, std::sqrt(5.0))), std::move(f),
                  MatrixXd::Constant(1, 1, 10.0), std::move(h), gaussian_noise(VectorXd::Ones(1)));
}

// Two beacons on the x axis: the mirror image in it fits as well.
StateSpaceModel ranges(double prior_y) {
  auto h = function(2, 2, [](const VectorXd& x) -> VectorXd {
    return Eigen::Vector2d(std::hypot(x[0] + 2.0, x[1]), std::hypot(x[0] - 2.0, x[1]));
  });
  return assemble(
      normal(Eigen::Vector2d(0.0, prior_y), Eigen::Vector2d(1.0, 2.0)),
      linear(MatrixXd::Identity(2, 2)), 0.01 * MatrixXd::Identity(2, 2), std::move(h),
      ObservationNoise(
          {.kind = NoiseKind::kStudentT, .scales = VectorXd::Constant(2, 0.1), .nu = 3.0}));
}

// Position and velocity in the plane, seen as directions from one or two places.
StateSpaceModel bearings(int sensors) {
  MatrixXd F = MatrixXd::Identity(4, 4);
  F(0, 2) = F(1, 3) = 1.0;
  auto h = function(4, sensors, [sensors](const VectorXd& x) -> VectorXd {
    VectorXd out(sensors);
    out[0] = std::atan2(x[1] + 1.0, x[0] + 1.0);
    if (sensors > 1) out[1] = std::atan2(x[1] + 1.0, x[0] - 5.0);
    return out;
  });
  const Eigen::Vector4d mean(3.0, 4.0, -0.05, -0.05);
  const Eigen::Vector4d noise(1e-4, 1e-4, 1e-6, 1e-6);
  return assemble(normal(mean, Eigen::Vector4d(1.0, 1.0, 0.05, 0.05)), linear(F),
                  noise.asDiagonal(), std::move(h),
                  gaussian_noise(VectorXd::Constant(sensors, 0.02)));
}

VectorXd runge_kutta(const std::function<VectorXd(const VectorXd&)>& rate, const VectorXd& x,
                     double dt) {
  const VectorXd a = rate(x);
  const VectorXd b = rate(x + 0.5 * dt * a);
  const VectorXd c = rate(x + 0.5 * dt * b);
  const VectorXd d = rate(x + dt * c);
  return x + dt / 6.0 * (a + 2.0 * b + 2.0 * c + d);
}

// Chaos in three dimensions, of which one is seen.
StateSpaceModel lorenz63(double dt) {
  auto f = function(3, 3, [dt](const VectorXd& x) {
    return runge_kutta(
        [](const VectorXd& s) -> VectorXd {
          return Eigen::Vector3d(10.0 * (s[1] - s[0]), s[0] * (28.0 - s[2]) - s[1],
                                 s[0] * s[1] - 8.0 / 3.0 * s[2]);
        },
        x, dt);
  });
  return assemble(normal(Eigen::Vector3d(1.5, -1.5, 25.5), VectorXd::Constant(3, 2.0)),
                  std::move(f), 0.1 * MatrixXd::Identity(3, 3),
                  linear(Eigen::RowVector3d(1.0, 0.0, 0.0)), gaussian_noise(VectorXd::Ones(1)));
}

// Chaos in 40 dimensions, of which every second is seen.
StateSpaceModel lorenz96() {
  static constexpr int kDim = 40;
  auto f = function(kDim, kDim, [](const VectorXd& x) {
    return runge_kutta(
        [](const VectorXd& s) -> VectorXd {
          VectorXd out(kDim);
          for (int i = 0; i < kDim; ++i) {
            out[i] = (s[(i + 1) % kDim] - s[(i + kDim - 2) % kDim]) * s[(i + kDim - 1) % kDim] -
                     s[i] + 8.0;
          }
          return out;
        },
        x, 0.05);
  });
  MatrixXd H = MatrixXd::Zero(kDim / 2, kDim);
  for (int i = 0; i < kDim / 2; ++i) H(i, 2 * i) = 1.0;
  VectorXd mean = VectorXd::Constant(kDim, 8.0);
  mean[0] += 0.01;
  return assemble(normal(mean, VectorXd::Ones(kDim)), std::move(f),
                  0.05 * MatrixXd::Identity(kDim, kDim), linear(H),
                  gaussian_noise(VectorXd::Ones(kDim / 2)));
}

// y = 0.6 exp(x / 2) e: the state is seen in the size of y alone.
class Volatility final : public Observation {
 public:
  int state_dim() const override { return 1; }
  int observation_dim() const override { return 1; }
  const ParameterVector& parameters() const override { return none_; }
  void set_parameters(const Eigen::Ref<const VectorXd>& values) override {
    none_.set_values(values);
  }
  void log_density(const VectorXd& y, const MatrixXd& x, VectorXd& out) const override {
    const auto row = x.row(0).array().transpose();
    out = -0.5 * (kLogTwoPi + 2.0 * std::log(0.6) + row + square(y) * (-row).exp());
  }
  void gradient(const VectorXd& y, const MatrixXd& x, MatrixXd& out) const override {
    out = 0.5 * (square(y) * (-x.array()).exp() - 1.0);
  }
  void scores(const VectorXd&, const MatrixXd&, Eigen::Ref<MatrixXd>) const override {}
  void sample(const MatrixXd& x, RandomStream& random, MatrixXd& y) const override {
    y.resize(1, x.cols());
    random.fill_normal(y);
    y.array() *= 0.6 * (0.5 * x.array()).exp();
  }
  void linearise(const Gaussian& at, Linearisation, AffineGaussian& out) const override {
    out.matrix = MatrixXd::Zero(1, 1);
    out.offset = VectorXd::Zero(1);
    const double variance = at.factor.lower()(0, 0) * at.factor.lower()(0, 0);
    out.noise = CovarianceFactor::from_standard_deviations(
        VectorXd::Constant(1, 0.6 * std::exp(0.5 * at.mean[0] + 0.25 * variance)));
  }

 private:
  static double square(const VectorXd& y) { return y[0] * y[0] / (0.6 * 0.6); }
  ParameterVector none_;
};

StateSpaceModel volatility() {
  const double deviation = 0.1653 / std::sqrt(1.0 - 0.975 * 0.975);
  return {normal(VectorXd::Zero(1), VectorXd::Constant(1, deviation)),
          std::make_unique<NonlinearTransition>(linear(MatrixXd::Constant(1, 1, 0.975)),
                                                MatrixXd::Constant(1, 1, 0.1653 * 0.1653)),
          std::make_unique<Volatility>()};
}

SimulatedSequence draw(const StateSpaceModel& model, int steps, RandomStream& random) {
  SimulatedSequence out{MatrixXd(model.state_dim(), steps),
                        MatrixXd(model.observation_dim(), steps)};
  MatrixXd x(model.state_dim(), 1);
  random.fill_normal(x);
  x = model.prior().mean + model.prior().factor.lower() * x;
  MatrixXd y;
  MatrixXd next;
  for (int t = 0; t < steps; ++t) {
    const StepInput input = HardProblem::input(t);
    if (t > 0) {
      model.transition().sample(input, x, random, next);
      x = next;
    }
    model.observation(input).sample(x, random, y);
    out.states.col(t) = x;
    out.observations.col(t) = y;
  }
  return out;
}

}  // namespace

StepInput HardProblem::input(int step) {
  StepInput out;
  out.control = VectorXd::Constant(1, step + 1.0);
  return out;
}

std::vector<HardProblem> hard_problems(std::uint64_t seed) {
  std::vector<HardProblem> out;
  const auto add = [&](std::string name, int steps, std::function<StateSpaceModel()> make) {
    RandomStream random(seed, kStream + out.size());
    SimulatedSequence sequence = draw(make(), steps, random);
    out.push_back({std::move(name), std::move(make), std::move(sequence)});
  };
  add("growth model", 200, growth);
  add("ranges, mirror image", 50, [] { return ranges(0.0); });
  add("ranges, prior off the axis", 50, [] { return ranges(0.3); });
  add("bearings, one sensor", 60, [] { return bearings(1); });
  add("bearings, two sensors", 60, [] { return bearings(2); });
  add("volatility", 500, volatility);
  add("Lorenz-63, dt 0.1", 400, [] { return lorenz63(0.1); });
  add("Lorenz-63, dt 0.05", 400, [] { return lorenz63(0.05); });
  add("Lorenz-96", 200, lorenz96);
  return out;
}

}  // namespace ovf
