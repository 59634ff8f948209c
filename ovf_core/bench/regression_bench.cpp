// Fits and predictions of the regressors.
#include <benchmark/benchmark.h>

#include <memory>

#include "ovf/math/random.hpp"
#include "ovf/regression/regressor_config.hpp"

namespace ovf {
namespace {

struct Samples {
  Eigen::MatrixXd inputs, targets;
};
Samples samples(int outputs, int points) {
  RandomStream random(3);
  Samples s{Eigen::MatrixXd(10, points), Eigen::MatrixXd(outputs, points)};
  random.fill_normal(s.inputs);
  random.fill_normal(s.targets);
  return s;
}

std::unique_ptr<Regressor> make(RegressorKind kind) {
  RegressorConfig config;
  config.kind = kind;
  return make_regressor(config);
}

// range(0) points in ten dimensions, 11 outputs.
void fit(benchmark::State& state, RegressorKind kind) {
  const auto data = samples(11, static_cast<int>(state.range(0)));
  const auto regressor = make(kind);
  for (auto _ : state) regressor->fit(data.inputs, data.targets);
}
BENCHMARK_CAPTURE(fit, kernel_ridge, RegressorKind::kKernelRidge)->Arg(512)->Arg(1000);
BENCHMARK_CAPTURE(fit, hermite, RegressorKind::kHermite)->Arg(512)->Arg(1000);
BENCHMARK_CAPTURE(fit, random_features, RegressorKind::kRandomFeatures)->Arg(512)->Arg(1000);
BENCHMARK_CAPTURE(fit, mlp, RegressorKind::kMlp)->Arg(512)->Arg(1000);

// The same at 32 inputs.
void predict(benchmark::State& state, RegressorKind kind) {
  const auto data = samples(11, static_cast<int>(state.range(0)));
  const auto at = samples(1, 32);
  const auto regressor = make(kind);
  regressor->fit(data.inputs, data.targets);
  Eigen::MatrixXd out;
  for (auto _ : state) regressor->predict(at.inputs, out);
}
BENCHMARK_CAPTURE(predict, kernel_ridge, RegressorKind::kKernelRidge)->Arg(512)->Arg(1000);
BENCHMARK_CAPTURE(predict, hermite, RegressorKind::kHermite)->Arg(512);
BENCHMARK_CAPTURE(predict, random_features, RegressorKind::kRandomFeatures)->Arg(512);
BENCHMARK_CAPTURE(predict, mlp, RegressorKind::kMlp)->Arg(512);

}  // namespace
}  // namespace ovf
