// The ovf command: experiments of the paper, and a demonstration.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>

#include "ovf/evaluation/linear_gaussian_experiments.hpp"
#include "ovf/evaluation/report_files.hpp"
#include "ovf/evaluation/result_folder.hpp"
#include "ovf/evaluation/terminal_table.hpp"
#include "ovf/filter/filter_schema.hpp"

namespace {

using Clock = std::chrono::steady_clock;

struct Common {
  std::string out = "results";
  std::string command;
};

// Runs an experiment, writes its result folder, and says where it is.
void run_and_write(const Common& common, const std::function<ovf::Report()>& experiment) {
  const auto start = Clock::now();
  ovf::Report report = experiment();
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  report.facts.emplace_back("Command", common.command);
  report.facts.emplace_back("Version", OVF_VERSION);
  report.facts.emplace_back("Duration", fmt::format("{:.1f} s", seconds));

  const ovf::ResultFolder folder(common.out, report.name);
  ovf::write_report(folder, report);
  const auto message = folder.link_latest();
  fmt::print("\n{}\n\n", report.title);
  for (const auto& table : report.tables) fmt::print("{}\n", ovf::terminal_table(table));
  if (message) fmt::print(stderr, "ovf: {}\n", *message);
  fmt::print("report: {}\n", std::filesystem::absolute(folder.path() / "report.html").string());
}

void add_states(CLI::App& parent, Common& common, ovf::StatesOptions& options, bool& quick) {
  auto* command = parent.add_subcommand("linear-gaussian-states",
                                        "Figure 1a: KL of each step's posterior to the exact one");
  command->add_option("--dim", options.dim, "State dimension")
      ->check(CLI::Range(1, 200))
      ->capture_default_str();
  command->add_option("--steps", options.steps, "Time steps")
      ->check(CLI::Range(2, 100000))
      ->capture_default_str();
  command->add_option("--iterations", options.iterations, "Inner iterations of the paper setting")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command->add_option("--seed", options.seed, "Seed of data and algorithms")->capture_default_str();
  command->add_flag("--quick", quick, "A tenth of the iterations");
  command->callback([&] {
    if (quick) options.iterations = std::max(1, options.iterations / 10);
    run_and_write(common, [&] { return ovf::linear_gaussian_states(options, std::cerr); });
  });
}

void add_parameters(CLI::App& parent, Common& common, ovf::ParametersOptions& options,
                    bool& quick) {
  auto* command = parent.add_subcommand("linear-gaussian-parameters",
                                        "Figure 1b: error of F and G as they are learned");
  command->add_option("--dim", options.dim, "State dimension")
      ->check(CLI::Range(1, 200))
      ->capture_default_str();
  command->add_option("--steps", options.steps, "Observations for fast and exact RMLE")
      ->check(CLI::Range(20, 100000000))
      ->capture_default_str();
  command
      ->add_option("--sampled-steps", options.sampled_steps,
                   "Observations for paper, AELBO-2 and AELBO-1")
      ->check(CLI::Range(20, 100000000))
      ->capture_default_str();
  command->add_option("--seed", options.seed, "Seed of data and algorithms")->capture_default_str();
  command
      ->add_option("--data", options.data,
                   "Folder with y_data.csv, F_diag.csv, ... instead of drawn data")
      ->check(CLI::ExistingDirectory);
  command->add_option("--config", options.config, "A filter configuration to run beside the others")
      ->check(CLI::ExistingFile);
  command->add_flag("--quick", quick, "A tenth of all steps");
  command->callback([&] {
    if (quick) {
      options.steps = std::max(20, options.steps / 10);
      options.sampled_steps = std::max(20, options.sampled_steps / 10);
    }
    run_and_write(common, [&] { return ovf::linear_gaussian_parameters(options, std::cerr); });
  });
}

// About a minute: both experiments, the sampled settings shortened.
void demo(const Common& common) {
  ovf::StatesOptions states;
  run_and_write(common, [&] { return ovf::linear_gaussian_states(states, std::cerr); });
  ovf::ParametersOptions parameters;
  parameters.steps = 20000;
  parameters.sampled_steps = 400;
  run_and_write(common, [&] { return ovf::linear_gaussian_parameters(parameters, std::cerr); });
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

  app.add_subcommand("demo", "A one-minute tour: both linear-Gaussian experiments")
      ->fallthrough()
      ->callback([&] { demo(common); });
  auto* experiment = app.add_subcommand("experiment", "Reproduce a figure of the paper");
  experiment->require_subcommand(1)->fallthrough();
  ovf::StatesOptions states;
  ovf::ParametersOptions parameters;
  bool quick = false;
  add_states(*experiment, common, states, quick);
  add_parameters(*experiment, common, parameters, quick);
  for (auto* command : experiment->get_subcommands({})) command->fallthrough();
  app.add_subcommand("parameters", "Print the reference of all configuration keys")->callback([] {
    fmt::print("{}", ovf::filter_parameter_reference());
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
