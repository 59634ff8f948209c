#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "ovf/evaluation/linear_gaussian_experiments.hpp"
#include "run_and_write.hpp"

/// `experiment linear-gaussian-states`.
inline void add_states(CLI::App& parent, const Common& common) {
  struct Options : ovf::StatesOptions {
    bool quick = false;
  };
  const auto options = std::make_shared<Options>();
  auto* command = parent.add_subcommand("linear-gaussian-states",
                                        "Figure 1a: KL of each step's posterior to the exact one");
  command->add_option("--dim", options->dim, "State dimension")
      ->check(CLI::Range(1, 200))
      ->capture_default_str();
  command->add_option("--steps", options->steps, "Time steps")
      ->check(CLI::Range(2, 100000))
      ->capture_default_str();
  command->add_option("--iterations", options->iterations, "Inner iterations of the paper setting")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of data and algorithms")
      ->capture_default_str();
  command->add_flag("--published", options->published, "The authors' random starts and ridge");
  command->add_flag("--quick", options->quick, "A tenth of the iterations");
  command->callback([options, &common] {
    if (options->quick) options->iterations = std::max(1, options->iterations / 10);
    run_and_write(common, [&] { return ovf::linear_gaussian_states(*options, std::cerr); });
  });
}

/// `experiment linear-gaussian-parameters`.
inline void add_parameters(CLI::App& parent, const Common& common) {
  struct Options : ovf::ParametersOptions {
    bool quick = false;
  };
  const auto options = std::make_shared<Options>();
  auto* command = parent.add_subcommand("linear-gaussian-parameters",
                                        "Figure 1b: error of F and G as they are learned");
  command->add_option("--dim", options->dim, "State dimension")
      ->check(CLI::Range(1, 200))
      ->capture_default_str();
  command->add_option("--steps", options->steps, "Observations for fast and exact RMLE")
      ->check(CLI::Range(20, 100000000))
      ->capture_default_str();
  command
      ->add_option("--sampled-steps", options->sampled_steps,
                   "Observations for paper, AELBO-2 and AELBO-1")
      ->check(CLI::Range(20, 100000000))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of data and algorithms")
      ->capture_default_str();
  command
      ->add_option("--data", options->data,
                   "Folder with y_data.csv, F_diag.csv, ... instead of drawn data")
      ->check(CLI::ExistingDirectory);
  command
      ->add_option("--config", options->config, "A filter configuration to run beside the others")
      ->check(CLI::ExistingFile);
  command->add_flag("--peers", options->peers,
                    "Also learn by backward weights, over --sampled-steps observations");
  command->add_option("--draws", options->draws, "Draws of the backward weights")
      ->check(CLI::Range(2, 10000))
      ->capture_default_str();
  command->add_flag("--published", options->published,
                    "paper and both AELBOs with the authors' random starts, prior and ridge of S");
  command->add_flag("--quick", options->quick, "A tenth of all steps");
  command->callback([options, &common] {
    if (options->quick) {
      options->steps = std::max(20, options->steps / 10);
      options->sampled_steps = std::max(20, options->sampled_steps / 10);
    }
    run_and_write(common, [&] { return ovf::linear_gaussian_parameters(*options, std::cerr); });
  });
}

/// `experiment linear-gaussian-amortised`.
inline void add_linear_gaussian_amortised(CLI::App& parent, const Common& common) {
  struct Options : ovf::LinearGaussianAmortisedOptions {
    bool quick = false;
  };
  const auto options = std::make_shared<Options>();
  auto* command =
      parent.add_subcommand("linear-gaussian-amortised",
                            "Appendix D.3: a recurrent network's posterior, before and after "
                            "it has learned from the observation");
  command->add_option("--dim", options->dim, "State dimension")
      ->check(CLI::Range(1, 200))
      ->capture_default_str();
  command->add_option("--steps", options->steps, "Observations")
      ->check(CLI::Range(60, 100000000))
      ->capture_default_str();
  command->add_option("--runs", options->runs, "Runs, each with data and a seed of its own")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of data and algorithms")
      ->capture_default_str();
  command->add_flag("--quick", options->quick, "One run of a tenth of the steps");
  command->callback([options, &common] {
    if (options->quick) {
      options->steps = std::max(60, options->steps / 10);
      options->runs = 1;
    }
    run_and_write(common, [&] { return ovf::linear_gaussian_amortised(*options, std::cerr); });
  });
}
