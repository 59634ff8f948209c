#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ovf/model/state_space_model.hpp"

namespace ovf {

/// A model whose posterior is hard for a Gaussian, and a sequence drawn from it.
struct HardProblem {
  std::string name;
  std::function<StateSpaceModel()> make_model;
  SimulatedSequence sequence;

  int steps() const { return static_cast<int>(sequence.observations.cols()); }
  /// Time is a control: some transitions depend on it.
  static StepInput input(int step);
};

/// Heavy tails, mirror images, one-sided bearings, chaos and volatility.
std::vector<HardProblem> hard_problems(std::uint64_t seed);

}  // namespace ovf
