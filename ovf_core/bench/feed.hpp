#pragma once

#include <benchmark/benchmark.h>

#include "ovf/filter/filter.hpp"

namespace ovf {

/// One step of the filter per iteration, over the observations (columns) again and again.
inline void feed(benchmark::State& state, Filter& filter, const Eigen::MatrixXd& observations) {
  Eigen::VectorXd y(observations.rows());
  const StepInput input;
  Eigen::Index t = 0;
  for (auto _ : state) {
    y = observations.col(t++ % observations.cols());
    benchmark::DoNotOptimize(filter.step(y, input).elbo);
  }
}

}  // namespace ovf
