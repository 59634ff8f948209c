#pragma once

#include <memory>
#include <utility>

#include "ovf/model/dual_mean.hpp"

namespace ovf {

/// The mean of a sensor whose equation is a functor with output_dim() (see body_sensors.hpp).
template <typename Function>
std::unique_ptr<MeanFunction> make_sensor_mean(Function function, int state_dim) {
  const int dim = function.output_dim();
  return std::make_unique<DualMean<Function>>(state_dim, dim, std::move(function));
}

}  // namespace ovf
