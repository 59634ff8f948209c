// The ovf command: recordings in, estimates and reports out; experiments of the paper; a
// demonstration.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "benchmark_command.hpp"
#include "calibration_command.hpp"
#include "chaotic_rnn_commands.hpp"
#include "convert_command.hpp"
#include "demo_command.hpp"
#include "evaluate_command.hpp"
#include "hard_posteriors_command.hpp"
#include "linear_gaussian_commands.hpp"
#include "ovf/filter/filter_schema.hpp"
#include "ovf/vision/camera_config.hpp"
#include "recording_commands.hpp"
#include "replay_command.hpp"
#include "robot_commands.hpp"
#include "run_and_write.hpp"
#include "run_command.hpp"
#include "simulate_command.hpp"
#include "vae_commands.hpp"
#include "vision_door.hpp"

int main(int argc, char** argv) {
  CLI::App app("Online variational filtering and parameter learning", "ovf");
  app.set_version_flag("--version", OVF_VERSION);
  app.require_subcommand(1);
  Common common;
  for (int i = 0; i < argc; ++i) {
    common.command += (i == 0 ? "ovf" : std::string(" ") + argv[i]);
  }
  app.add_option("--out", common.out, "Folder for results")->capture_default_str();

  add_demo_command(app, common);
  add_info_command(app);
  add_replay_command(app, common, {argv + 1, argv + argc});
  add_evaluate_command(app, common);
  add_benchmark_command(app, common);
  auto* experiment = app.add_subcommand(
      "experiment", "Reproduce a figure or table of the paper, or evaluate a robot");
  experiment->require_subcommand(1)->fallthrough();
  add_states(*experiment, common);
  add_parameters(*experiment, common);
  add_linear_gaussian_amortised(*experiment, common);
  add_chaotic_rnn_commands(*experiment, common);
  add_robot_commands(*experiment, common);
  add_calibration_command(*experiment, common);
  add_hard_posteriors_command(*experiment, common);
  for (auto* command : experiment->get_subcommands({})) command->fallthrough();
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  add_vision_command(*experiment, kSequentialVae, kSequentialVaeDescription, arguments);
  add_simulate_command(app);
  add_convert_command(app);
  add_vision_command(app, kTrainVae, kTrainVaeDescription, arguments);
  add_vision_command(app, kTestVae, kTestVaeDescription, arguments);
  app.add_subcommand("parameters", "Print the reference of all configuration keys")->callback([] {
    fmt::print("{}{}{}", ovf::filter_parameter_reference(), ovf::estimator_parameter_reference(),
               ovf::camera_parameter_reference());
  });
  return run_command(app, argc, argv);
}
