#pragma once

#include "ovf/model/step_input.hpp"

namespace ovf::test {

/// A step of this length, and nothing else.
inline StepInput step_of(double dt) {
  StepInput input;
  input.dt = dt;
  return input;
}

}  // namespace ovf::test
