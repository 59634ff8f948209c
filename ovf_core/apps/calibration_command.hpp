#pragma once

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "default_robot.hpp"
#include "ovf/evaluation/calibration_study.hpp"
#include "run_and_write.hpp"

namespace calibration_command {

struct Arguments {
  ovf::CalibrationOptions options;
  std::string config;
  bool quick = false;
};

/// Small enough for continuous integration; options that are given are kept.
inline void shorten(const CLI::App& command, ovf::CalibrationOptions& options) {
  if (command.count("--seeds") == 0) options.seeds = 8;
  if (command.count("--steps") == 0) options.steps = 300;
  if (command.count("--seconds") == 0) options.seconds = 20.0;
}

}  // namespace calibration_command

/// `experiment calibration`: do the stated intervals hold the truth?
inline void add_calibration_command(CLI::App& experiment, const Common& common) {
  const auto arguments = std::make_shared<calibration_command::Arguments>();
  ovf::CalibrationOptions& options = arguments->options;
  auto* command = experiment.add_subcommand(
      "calibration",
      "Simulation-based calibration: coverage of the stated intervals of states and parameters");
  command->add_option("--seeds", options.seeds, "Runs of each model")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_option("--seed", options.seed, "Of the first run")->capture_default_str();
  command
      ->add_option("--steps", options.steps, "Observations of the linear models and of the network")
      ->check(CLI::Range(20, 100000000))
      ->capture_default_str();
  command->add_option("--seconds", options.seconds, "How long each simulated robot drives")
      ->check(CLI::Range(5.0, 1e5))
      ->capture_default_str();
  command->add_option("--only", options.only, "Only these models, with commas")
      ->delimiter(',')
      ->check(CLI::IsMember({"linear", "network", "robot"}));
  command->add_option("--threads", options.threads, "Runs at the same time; 0: one for each core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command
      ->add_option("--config", arguments->config,
                   "Configuration of the robot's estimator (YAML) instead of "
                   "config/planar_all_sensors.yaml")
      ->check(CLI::ExistingFile);
  command->add_flag("--quick", arguments->quick, "A short run; options that are given are kept");
  command->callback([arguments, command, &common] {
    if (arguments->quick) calibration_command::shorten(*command, arguments->options);
    const ovf::EstimatorConfig robot =
        arguments->config.empty()
            ? ovf::read_estimator_config(std::string(ovf::embedded::kDefaultRobotYaml),
                                         "planar_all_sensors.yaml")
            : ovf::load_estimator_config(arguments->config);
    run_and_write(common,
                  [&] { return ovf::calibration_study(arguments->options, robot, std::cerr); });
  });
}
