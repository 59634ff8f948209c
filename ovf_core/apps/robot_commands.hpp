#pragma once

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "ovf/evaluation/localisation.hpp"
#include "ovf/evaluation/mrclam_log.hpp"
#include "ovf/evaluation/plaza_log.hpp"
#include "ovf/evaluation/robot_log_folder.hpp"
#include "ovf/evaluation/rollout_study.hpp"
#include "run_and_write.hpp"

namespace robot_commands {

struct LocalisationArguments {
  std::string kind = "log";
  std::string data;
  std::string config;
  int robot = 1;
  ovf::LocalisationOptions options;
};

inline ovf::RobotLog read_log(const LocalisationArguments& arguments) {
  if (arguments.kind == "plaza") return ovf::read_plaza_log(arguments.data);
  if (arguments.kind == "mrclam") return ovf::read_mrclam_log(arguments.data, arguments.robot);
  return ovf::read_robot_log(arguments.data);
}

inline void add_localisation(CLI::App& parent, const Common& common) {
  const auto arguments = std::make_shared<LocalisationArguments>();
  auto* command = parent.add_subcommand(
      "localisation",
      "Estimate the path of a planar robot from its log, and compare with the truth");
  command
      ->add_option("--kind", arguments->kind,
                   "Format of the log: log (ovf simulate), plaza, mrclam")
      ->check(CLI::IsMember({"log", "plaza", "mrclam"}))
      ->capture_default_str();
  command->add_option("--data", arguments->data, "Folder of the log")
      ->required()
      ->check(CLI::ExistingDirectory);
  command->add_option("--config", arguments->config, "Configuration of the estimator (YAML)")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--robot", arguments->robot, "Which robot of a mrclam folder")
      ->check(CLI::Range(1, 5))
      ->capture_default_str();
  command->add_flag("--compare", arguments->options.compare,
                    "Run once more without learning noise levels, nu, drift rates and weights");
  command->callback([arguments, &common] {
    const ovf::RobotLog log = read_log(*arguments);
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
