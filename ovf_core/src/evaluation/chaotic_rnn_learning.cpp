#include "evaluation/chaotic_rnn_learning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 115;
constexpr int kLongestTest = 2000;
constexpr int kShortestData = 50;

}  // namespace

LearningSplit split_problem(const ChaoticRnnParametersOptions& options) {
  LearningSplit split;
  if (options.data.empty()) {
    const auto problem = random_chaotic_rnn_problem(options.dim, options.steps, options.seed);
    split.observations = problem.observations;
    split.test.spec = problem.spec;
    RandomStream random(options.seed, kStream);
    auto sequence =
        simulate(make_chaotic_rnn(problem.spec), std::min(options.steps, kLongestTest), random);
    split.test.states = std::move(sequence.states);
    split.test.observations = std::move(sequence.observations);
    split.first_target = split.test.steps() / 10;
    return split;
  }
  split.test = load_chaotic_rnn_problem(options.data, options.steps);
  if (split.test.steps() < kShortestData) {
    throw std::runtime_error(
        fmt::format("{}: has {} rows; expected at least {} to learn from",
                    (std::filesystem::path(options.data) / "y_data.csv").string(),
                    split.test.steps(), kShortestData));
  }
  split.first_target = split.test.steps() - split.test.steps() / 5;
  split.observations = split.test.observations.leftCols(split.first_target);
  return split;
}

LearningCase dynamics_case(const ChaoticRnnSpec& spec) {
  LearningCase result{"dynamics", "gamma, tau and noise learned, W known", spec, {}};
  auto& truth = result.truth;
  truth.learn_gamma = truth.learn_tau = true;
  truth.learn_process_noise = truth.learn_observation_scale = truth.learn_nu = true;
  result.start = truth;
  result.start.gamma = 0.6 * spec.gamma;
  result.start.tau = 2.0 * spec.tau;
  result.start.process_noise = 2.0 * spec.process_noise;
  result.start.observation_scale = 2.0 * spec.observation_scale;
  result.start.nu = 2.5 * spec.nu;
  return result;
}

LearningCase network_case(const ChaoticRnnSpec& spec) {
  LearningCase result{"network", "W and noise learned, gamma and tau known", spec, {}};
  auto& truth = result.truth;
  truth.learn_W = true;
  truth.learn_process_noise = truth.learn_observation_scale = truth.learn_nu = true;
  result.start = truth;
  result.start.W.setZero();
  result.start.process_noise = 2.0 * spec.process_noise;
  result.start.observation_scale = 2.0 * spec.observation_scale;
  result.start.nu = 2.5 * spec.nu;
  return result;
}

}  // namespace ovf
