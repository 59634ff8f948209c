#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "default_robot.hpp"
#include "ovf/estimator/config_of_method.hpp"
#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/evaluation/learned_table.hpp"
#include "ovf/evaluation/localisation.hpp"
#include "ovf/evaluation/progress.hpp"
#include "ovf/evaluation/result_folder.hpp"
#include "ovf/evaluation/run_evaluation.hpp"
#include "ovf/recording/replay.hpp"
#include "ovf/recording/robot_log_recording.hpp"
#include "run_and_write.hpp"

namespace demo_command {

struct Options {
  double seconds = 300.0;
  std::uint64_t seed = 1;
};

inline ovf::RunEvaluation replay_and_evaluate(const std::filesystem::path& folder,
                                              const std::string& name,
                                              const ovf::ReplayOptions& options,
                                              ovf::GroundTruth& truth) {
  if (!ovf::replay(folder / "recording", folder / name, options).initialised) {
    throw std::runtime_error(
        "the robot did not drive far enough to know its heading; give --seconds more");
  }
  ovf::RunRecord record = ovf::read_run(folder / name);
  record.name = options.method == "ovf" ? "learning on" : "learning off";
  if (truth.poses.empty()) truth = ovf::read_ground_truth("", folder / name, record);
  return ovf::evaluate_run(std::move(record), truth);
}

inline void run(const Options& options, const Common& common) {
  namespace fs = std::filesystem;
  const ovf::ResultFolder folder(common.out, "demo");
  ovf::PlanarSimulatorConfig simulation;
  simulation.seed = options.seed;
  ovf::PlanarSimulator simulator(simulation);
  const ovf::RobotLog log = ovf::record(simulator, options.seconds);
  const ovf::RobotLogRecordingOptions recording;
  ovf::write_recording(folder.path() / "recording", log, recording);
  fmt::print(
      "A robot drove {:.0f} m in {:g} s. Its wheels slip, its sensors are biased, drop out and "
      "have\n"
      "outliers, and the estimator was told none of it.\n\n",
      simulator.distance(), options.seconds);

  ovf::ReplayOptions replay;
  replay.config = ovf::read_estimator_config(std::string(ovf::embedded::kDefaultRobotYaml),
                                             "planar_all_sensors.yaml");
  ovf::take_landmarks(log, replay.config);
  replay.config.gnss_origin = {recording.origin.latitude, recording.origin.longitude,
                               recording.origin.altitude};
  ovf::GroundTruth truth;
  std::vector<ovf::RunEvaluation> runs;
  for (const std::string method : {"ovf", "no-learn"}) {
    ovf::ReplayOptions run = replay;
    run.method = method;
    run.config = ovf::config_of_method(method, replay.config);
    runs.push_back(replay_and_evaluate(
        folder.path(), method == "ovf" ? "learning_on" : "learning_off", run, truth));
  }
  const auto& on = runs.front();
  const auto& off = runs.back();
  fmt::print("{:<46}{:>12}{:>14}\n", "", "learning", "no-learn");
  const auto row = [](const char* name, double a, double b, const char* unit) {
    fmt::print("{:<46}{:>12}{:>14}\n", name, fmt::format("{:.2f}{}", a, unit),
               fmt::format("{:.2f}{}", b, unit));
  };
  row("position RMSE", on.error.position.rmse, off.error.position.rmse, " m");
  row("consistency (ANEES, ideal 1)", on.nees.front().anees, off.nees.front().anees, "");
  row("2 s prediction RMSE", on.rollouts[2].position.rmse, off.rollouts[2].position.rmse, " m");
  row("time per message (99th percentile)", on.record.machine.p99, off.record.machine.p99, " us");
  fmt::print("\n");
  const ovf::Table learned = ovf::learned_table(
      on.record.parameters.back(), ovf::parameter_references(simulator, log, replay.config));
  fmt::print("{}", ovf::terminal_table(learned));

  ovf::Report report = ovf::evaluation_report(runs, truth);
  report.title = "A robot that learns what its makers did not know";
  report.tables.insert(report.tables.begin() + 1, learned);
  report.facts.emplace_back("Command", common.command);
  report.facts.emplace_back("Version", OVF_VERSION);
  ovf::write_report(folder, report);
  if (const auto problem = folder.link_latest()) fmt::print(stderr, "ovf: {}\n", *problem);
  const fs::path path = fs::absolute(folder.path());
  fmt::print("\nrecording: {}\nestimates: {}\nreport:    {}\n", (path / "recording").string(),
             (path / "learning_on").string(), (path / "report.html").string());
}

}  // namespace demo_command

/// `demo`: simulate, replay with learning on and off, evaluate.
inline void add_demo_command(CLI::App& parent, const Common& common) {
  const auto options = std::make_shared<demo_command::Options>();
  auto* command = parent.add_subcommand(
      "demo", "A simulated robot into a recording, replayed with learning on and off, compared");
  command->add_option("--seconds", options->seconds, "How long the robot drives")
      ->check(CLI::Range(30.0, 1e5))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Of the simulation")->capture_default_str();
  command->fallthrough();
  command->callback([options, &common] { demo_command::run(*options, common); });
}
