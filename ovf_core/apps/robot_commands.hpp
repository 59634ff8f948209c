#pragma once

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "ovf/estimator/config_of_method.hpp"
#include "ovf/evaluation/localisation.hpp"
#include "ovf/evaluation/rollout_study.hpp"
#include "robot_log_options.hpp"
#include "run_and_write.hpp"

namespace robot_commands {

struct LocalisationArguments {
  RobotLogOptions log;
  std::string config;
  ovf::LocalisationOptions options;
};

inline void add_localisation(CLI::App& parent, const Common& common) {
  const auto arguments = std::make_shared<LocalisationArguments>();
  auto* command = parent.add_subcommand(
      "localisation",
      "Estimate the path of a planar robot from its log, and compare with the truth");
  add_robot_log_options(*command, arguments->log);
  command->add_option("--data", arguments->log.folder, "Folder of the log")
      ->required()
      ->check(CLI::ExistingDirectory);
  command->add_option("--config", arguments->config, "Configuration of the estimator (YAML)")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--method", arguments->options.method, "What estimates")
      ->check(CLI::IsMember(ovf::method_names()))
      ->capture_default_str();
  command->add_flag("--compare", arguments->options.compare,
                    "Run once more without learning noise levels, nu, drift rates and weights");
  command->callback([arguments, &common] {
    const ovf::RobotLog log = read_log(arguments->log);
    const auto config = ovf::load_estimator_config(arguments->config);
    run_and_write(common,
                  [&] { return ovf::localisation(log, config, arguments->options, std::cerr); });
  });
}

struct RolloutArguments {
  std::string config;
  std::string simulation;
  ovf::RolloutStudyOptions options;
};

inline void add_rollouts(CLI::App& parent, const Common& common) {
  const auto arguments = std::make_shared<RolloutArguments>();
  ovf::RolloutStudyOptions& options = arguments->options;
  auto* command = parent.add_subcommand(
      "rollouts", "How far ahead dynamics that were learned online see, on a simulated robot");
  command->add_option("--config", arguments->config, "Configuration of the estimator (YAML)")
      ->required()
      ->check(CLI::ExistingFile);
  command
      ->add_option("--simulation", arguments->simulation, "Configuration of the simulator (YAML)")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--seconds", options.learning_seconds, "How long it learns first")
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str();
  command->add_option("--test-seconds", options.test_seconds, "How long it is tested then")
      ->check(CLI::Range(5.0, 1e6))
      ->capture_default_str();
  command->add_option("--horizon", options.horizon, "Seconds ahead")
      ->check(CLI::Range(0.1, 60.0))
      ->capture_default_str();
  command->add_option("--runs", options.runs, "Simulated robots")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--seed", options.seed, "Of the first of them")->capture_default_str();
  command->callback([arguments, &common] {
    const auto config = ovf::load_estimator_config(arguments->config);
    const auto simulation = ovf::load_simulator_config(arguments->simulation);
    run_and_write(common, [&] {
      return ovf::rollout_study(simulation, config, arguments->options, std::cerr);
    });
  });
}

}  // namespace robot_commands

/// `localisation` and `rollouts`.
inline void add_robot_commands(CLI::App& parent, const Common& common) {
  robot_commands::add_localisation(parent, common);
  robot_commands::add_rollouts(parent, common);
}
