#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>
#include <memory>
#include <ostream>
#include <string>

#include "ovf/evaluation/chaotic_rnn_experiments.hpp"
#include "run_and_write.hpp"

namespace chaotic_rnn_commands {

/// A sub-command with the options that all of them have; `quick` shortens what was not asked for.
template <typename Options>
CLI::App* add(CLI::App& parent, const Common& common, const std::string& name,
              const std::string& description, const std::shared_ptr<Options>& options,
              ovf::Report (*experiment)(const Options&, std::ostream&),
              const std::function<void(const CLI::App&, Options&)>& shorten) {
  auto* command = parent.add_subcommand(name, description);
  const auto quick = std::make_shared<bool>(false);
  command->add_option("--steps", options->steps, "Time steps")
      ->check(CLI::Range(10, 100000000))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of data and algorithms")
      ->capture_default_str();
  command
      ->add_option("--data", options->data,
                   "Folder with x_data.csv, y_data.csv and W.csv instead of drawn data")
      ->check(CLI::ExistingDirectory);
  command->add_flag("--quick", *quick, "A short run; options that are given are kept");
  command->callback([=, &common] {
    if (*quick) shorten(*command, *options);
    run_and_write(common, [&] { return experiment(*options, std::cerr); });
  });
  return command;
}

inline void add_count(CLI::App& command, const std::string& name, int& value,
                      const std::string& description, int least = 1) {
  command.add_option(name, value, description)
      ->check(CLI::Range(least, 100000000))
      ->capture_default_str();
}

inline void add_dim(CLI::App& command, int& dim) {
  command.add_option("--dim", dim, "State dimension of drawn data")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str()
      ->excludes("--data");
}

inline void add_published(CLI::App& command, bool& published) {
  command.add_flag("--published", published,
                   "The paper's algorithm and both AELBOs as the authors ran them: 500 iterations, "
                   "an MLP as the kernel, random starts");
}

template <typename Value>
void unless_given(const CLI::App& command, const std::string& name, Value& value,
                  const Value& quick) {
  if (command.count(name) == 0) value = quick;
}

inline void add_comparison(CLI::App& parent, const Common& common) {
  using Options = ovf::ChaoticRnnComparisonOptions;
  const auto options = std::make_shared<Options>();
  auto* command =
      add<Options>(parent, common, "crnn", "Table 1: all filters on the chaotic recurrent network",
                   options, ovf::chaotic_rnn_comparison, [](const auto& given, auto& quick) {
                     unless_given(given, "--dims", quick.dims, {5, 20});
                     unless_given(given, "--runs", quick.runs, 2);
                     unless_given(given, "--particles", quick.particles, 10000);
                   });
  command->add_option("--dims", options->dims, "State dimensions of drawn data, with commas")
      ->delimiter(',')
      ->check(CLI::Range(1, 1000))
      ->capture_default_str()
      ->excludes("--data");
  add_count(*command, "--runs", options->runs, "Runs, each with data and a seed of its own");
  add_count(*command, "--particles", options->particles, "Particles, and members of the ensemble",
            10);
  add_published(*command, options->published);
}

inline void add_posterior(CLI::App& parent, const Common& common) {
  using Options = ovf::ChaoticRnnPosteriorOptions;
  const auto options = std::make_shared<Options>();
  auto* command = add<Options>(parent, common, "crnn-posterior",
                               "Table 2: posterior means against a large particle filter", options,
                               ovf::chaotic_rnn_posterior, [](const auto& given, auto& quick) {
                                 unless_given(given, "--runs", quick.runs, 2);
                                 unless_given(given, "--particles", quick.particles, 200000);
                                 quick.members = 10000;
                               });
  add_dim(*command, options->dim);
  add_count(*command, "--runs", options->runs, "Runs of each algorithm on the same data");
  add_count(*command, "--particles", options->particles, "Particles of the reference", 10);
  add_published(*command, options->published);
}

inline void add_elbo(CLI::App& parent, const Common& common) {
  using Options = ovf::ChaoticRnnElboOptions;
  const auto options = std::make_shared<Options>();
  auto* command = add<Options>(parent, common, "crnn-elbo",
                               "Figure 2a: the ELBO as estimated online, and the true one", options,
                               ovf::chaotic_rnn_elbo, [](const auto& given, auto& quick) {
                                 unless_given(given, "--steps", quick.steps, 30);
                                 unless_given(given, "--particles", quick.particles, 10000);
                               });
  add_dim(*command, options->dim);
  add_count(*command, "--particles", options->particles, "Particles for the log evidence", 10);
  add_published(*command, options->published);
}

inline void add_offline(CLI::App& parent, const Common& common) {
  using Options = ovf::ChaoticRnnOfflineOptions;
  const auto options = std::make_shared<Options>();
  auto* command = add<Options>(parent, common, "crnn-offline",
                               "Figure 2b: posteriors fitted online and offline", options,
                               ovf::chaotic_rnn_offline, [](const auto& given, auto& quick) {
                                 unless_given(given, "--seeds", quick.seeds, 1);
                                 unless_given(given, "--long-steps", quick.long_steps, 30);
                                 unless_given(given, "--iterations", quick.iterations, 5000);
                               });
  add_dim(*command, options->dim);
  add_count(*command, "--seeds", options->seeds, "Sequences of --steps steps");
  add_count(*command, "--long-steps", options->long_steps, "Steps of one more sequence; 0: none",
            0);
  add_count(*command, "--iterations", options->iterations, "Iterations of the offline trainer");
  add_published(*command, options->published);
}

inline void add_amortised(CLI::App& parent, const Common& common) {
  using Options = ovf::ChaoticRnnAmortisedOptions;
  const auto options = std::make_shared<Options>();
  auto* command =
      add<Options>(parent, common, "crnn-amortised", "Table 3: networks that learn to filter",
                   options, ovf::chaotic_rnn_amortised, [](const auto& given, auto& quick) {
                     unless_given(given, "--runs", quick.runs, 2);
                     unless_given(given, "--particles", quick.particles, 10000);
                   });
  add_dim(*command, options->dim);
  add_count(*command, "--runs", options->runs, "Runs, each with data and a seed of its own");
  add_count(*command, "--iterations", options->iterations,
            "Steps of the networks for each observation");
  add_count(*command, "--particles", options->particles,
            "Particles that tell how small the error can be", 10);
}

inline void add_parameters(CLI::App& parent, const Common& common) {
  using Options = ovf::ChaoticRnnParametersOptions;
  const auto options = std::make_shared<Options>();
  auto* command = add<Options>(
      parent, common, "crnn-parameters", "Beyond the paper: the network and its noise learned",
      options, ovf::chaotic_rnn_parameters,
      [](const auto& given, auto& quick) { unless_given(given, "--steps", quick.steps, 2000); });
  command->get_option("--steps")->check(CLI::Range(50, 100000000));
  add_dim(*command, options->dim);
  command->add_flag("--peers", options->peers,
                    "Also learn by accurate and by backward weights, and compare");
  command->add_option("--draws", options->draws, "Draws of the backward weights")
      ->check(CLI::Range(2, 10000))
      ->capture_default_str();
}

}  // namespace chaotic_rnn_commands

/// The experiments of Section 5.2.
inline void add_chaotic_rnn_commands(CLI::App& experiment, const Common& common) {
  chaotic_rnn_commands::add_comparison(experiment, common);
  chaotic_rnn_commands::add_posterior(experiment, common);
  chaotic_rnn_commands::add_elbo(experiment, common);
  chaotic_rnn_commands::add_offline(experiment, common);
  chaotic_rnn_commands::add_parameters(experiment, common);
  chaotic_rnn_commands::add_amortised(experiment, common);
}
