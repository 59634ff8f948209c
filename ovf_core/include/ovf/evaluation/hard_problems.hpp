#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "ovf/evaluation/report.hpp"
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

struct HardPosteriorOptions {
  int seeds = 3;
  std::uint64_t seed = 1;
  int particles = 100000;
};

/// How far `fast` gets on them beside a particle filter, and whether it says where it is wrong.
Report hard_posteriors(const HardPosteriorOptions& options, std::ostream& stream);

}  // namespace ovf
