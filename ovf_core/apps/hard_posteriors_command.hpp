#pragma once

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "ovf/evaluation/hard_problems.hpp"
#include "run_and_write.hpp"

/// `experiment hard-posteriors`: mirror images, chaos, one-sided bearings, volatility.
inline void add_hard_posteriors_command(CLI::App& experiment, const Common& common) {
  const auto options = std::make_shared<ovf::HardPosteriorOptions>();
  auto* command = experiment.add_subcommand(
      "hard-posteriors",
      "Models whose posterior is hard for a Gaussian: ELBO, running bound, health signal");
  command->add_option("--seeds", options->seeds, "Sequences of each model")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Of the first sequence")->capture_default_str();
  command->add_option("--particles", options->particles, "Of the particle filter")
      ->check(CLI::Range(100, 10000000))
      ->capture_default_str();
  command->callback([options, &common] {
    run_and_write(common, [&] { return ovf::hard_posteriors(*options, std::cerr); });
  });
}
