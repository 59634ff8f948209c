// The ovf command: experiments of the paper, a demonstration, and a simulated robot.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>

#include "chaotic_rnn_commands.hpp"
#include "linear_gaussian_commands.hpp"
#include "ovf/filter/filter_schema.hpp"
#include "robot_commands.hpp"
#include "run_and_write.hpp"
#include "simulate_command.hpp"

namespace {

// About a minute: the three experiments that say most, shortened.
void demo(const Common& common) {
  ovf::StatesOptions states;
  run_and_write(common, [&] { return ovf::linear_gaussian_states(states, std::cerr); });
  ovf::ParametersOptions parameters;
  parameters.steps = 20000;
  parameters.sampled_steps = 400;
  run_and_write(common, [&] { return ovf::linear_gaussian_parameters(parameters, std::cerr); });
  ovf::ChaoticRnnComparisonOptions network;
  network.dims = {5, 20};
  network.runs = 1;
  network.particles = 10000;
  run_and_write(common, [&] { return ovf::chaotic_rnn_comparison(network, std::cerr); });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Online variational filtering and parameter learning", "ovf");
  app.set_version_flag("--version", OVF_VERSION);
  app.require_subcommand(1);
  Common common;
  for (int i = 0; i < argc; ++i) {
    common.command += (i == 0 ? "ovf" : std::string(" ") + argv[i]);
  }
  app.add_option("--out", common.out, "Folder for results")->capture_default_str();

  app.add_subcommand("demo", "A one-minute tour: linear-Gaussian and chaotic-network experiments")
      ->fallthrough()
      ->callback([&] { demo(common); });
  auto* experiment = app.add_subcommand(
      "experiment", "Reproduce a figure or table of the paper, or evaluate a robot");
  experiment->require_subcommand(1)->fallthrough();
  add_states(*experiment, common);
  add_parameters(*experiment, common);
  add_chaotic_rnn_commands(*experiment, common);
  add_robot_commands(*experiment, common);
  for (auto* command : experiment->get_subcommands({})) command->fallthrough();
  add_simulate_command(app);
  app.add_subcommand("parameters", "Print the reference of all configuration keys")->callback([] {
    fmt::print("{}{}", ovf::filter_parameter_reference(), ovf::estimator_parameter_reference());
  });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    fmt::print(stderr, "ovf: {}\n", error.what());
    return 1;
  }
  return 0;
}
