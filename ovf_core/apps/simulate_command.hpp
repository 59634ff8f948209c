#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/evaluation/robot_log_folder.hpp"
#include "ovf/recording/robot_log_recording.hpp"
#include "simulate_maze_command.hpp"

namespace simulate_command {

struct Options {
  std::string out;
  double seconds = 300.0;
  std::uint64_t seed = 1;
  std::string config;
  bool well_specified = false;
};

inline void write_beside(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file.fail()) throw std::runtime_error(fmt::format("cannot write {}", path.string()));
}

inline void run(const Options& options, bool seed_given) {
  ovf::PlanarSimulatorConfig config;
  if (!options.config.empty()) config = ovf::load_simulator_config(options.config);
  if (seed_given || options.config.empty()) config.seed = options.seed;
  if (options.well_specified) config.well_specified = true;
  ovf::PlanarSimulator simulator(config);
  const ovf::RobotLog log = ovf::record(simulator, options.seconds);

  const std::filesystem::path folder = options.out;
  ovf::write_robot_log(folder, log);
  const ovf::RobotLogRecordingOptions recording;
  ovf::write_recording(folder / "recording", log, recording);
  write_beside(folder / "landmarks.yaml", ovf::landmarks_yaml(log, recording.origin));
  write_beside(folder / "simulation.yaml", ovf::write_simulator_config(config));
  std::string parameters = "name,value\n";
  for (const auto& [name, value] : simulator.true_parameters()) {
    parameters += fmt::format("{},{}\n", name, value);
  }
  write_beside(folder / "true_parameters.csv", parameters);

  fmt::print("{:g} s, {:.1f} m driven, {} messages\n\n", options.seconds, simulator.distance(),
             log.messages.size());
  fmt::print("{:<10}{:>10}{:>10}{:>11}{:>14}\n", "source", "messages", "outliers", "drop-outs",
             "seconds out");
  for (const auto& count : simulator.counts()) {
    fmt::print("{:<10}{:>10}{:>10}{:>11}{:>14.1f}\n", count.source, count.messages, count.outliers,
               count.drop_outs, count.seconds_out);
  }
  fmt::print("\nrecording: {}\n",
             (std::filesystem::absolute(folder) / "recording").lexically_normal().string());
}

}  // namespace simulate_command

/// `simulate`: the log of a robot that does not exist; `simulate maze`: that of a camera.
inline void add_simulate_command(CLI::App& parent) {
  const auto options = std::make_shared<simulate_command::Options>();
  auto* command = parent.add_subcommand(
      "simulate",
      "Record a simulated planar robot, with the truth: a rosbag2 recording and CSV files");
  // Required, but not before `maze`, which has its own.
  auto* out = command->add_option("--out", options->out, "New or empty folder (required)");
  command->add_option("--seconds", options->seconds, "How long it drives")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Of everything that is drawn; replaces the file's")
      ->capture_default_str();
  command->add_option("--config", options->config, "Configuration of the simulator (YAML)")
      ->check(CLI::ExistingFile);
  command->add_flag("--well-specified", options->well_specified,
                    "Robot and sensors are exactly as config/planar_all_sensors.yaml models them");
  add_simulate_maze_command(*command);
  command->callback([command, options, out] {
    if (!command->get_subcommands().empty()) return;
    if (out->count() == 0) throw CLI::RequiredError("--out");
    simulate_command::run(*options, command->count("--seed") > 0);
  });
}
