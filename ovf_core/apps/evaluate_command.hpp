#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ovf/config/yaml.hpp"
#include "ovf/evaluation/baseline.hpp"
#include "ovf/evaluation/run_evaluation.hpp"
#include "run_and_write.hpp"
#include "run_command.hpp"

namespace evaluate_command {

struct Options {
  std::vector<std::string> runs;
  std::vector<std::string> names;
  std::string truth;
  std::string alignment = "none";
  std::string baseline;
  std::string write_baseline;
  double tolerance = 0.1;
  ovf::RunEvaluationOptions evaluation;
};

inline void check(const Options& options, const std::map<std::string, double>& figures) {
  if (!options.write_baseline.empty()) {
    const std::filesystem::path path = std::filesystem::absolute(options.write_baseline);
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored) &&
        !std::filesystem::is_regular_file(path, ignored)) {
      throw std::runtime_error(
          fmt::format("cannot write {}: it is no plain file", options.write_baseline));
    }
    ovf::ResultFolder::existing(path.parent_path())
        .write(path.filename().string(), ovf::write_baseline(figures, options.tolerance));
    fmt::print("baseline: {}\n", options.write_baseline);
  }
  if (options.baseline.empty()) return;
  const ovf::BaselineCheck result = ovf::check_baseline(
      ovf::read_baseline(ovf::read_config_file(options.baseline), options.baseline), figures);
  fmt::print("\n{}\n", ovf::terminal_table(result.table));
  if (!result.failed.empty()) {
    throw BaselineFailure(fmt::format("{} of {} figures are out of tolerance: {}",
                                      result.failed.size(), result.table.rows.size(),
                                      fmt::join(result.failed, ", ")));
  }
  fmt::print("all {} figures are within their tolerances\n", result.table.rows.size());
}

inline void run(Options& options, const Common& common) {
  options.evaluation.alignment = *ovf::alignment_kind(options.alignment);
  std::vector<ovf::RunEvaluation> runs;
  ovf::GroundTruth truth;
  std::vector<std::string> warnings;
  const auto add_warnings = [&](const std::vector<std::string>& more) {
    warnings.insert(warnings.end(), more.begin(), more.end());
  };
  run_and_write(common, [&] {
    for (std::size_t i = 0; i < options.runs.size(); ++i) {
      ovf::RunRecord record = ovf::read_run(options.runs[i]);
      if (i < options.names.size()) record.name = options.names[i];
      add_warnings(record.warnings);
      if (i == 0 && options.truth != "none") {
        truth = ovf::read_ground_truth(options.truth, options.runs[i], record);
        add_warnings(truth.warnings);
      }
      runs.push_back(ovf::evaluate_run(std::move(record), truth, options.evaluation));
    }
    return ovf::evaluation_report(runs, truth, options.evaluation);
  });
  if (!warnings.empty()) {
    const bool has_baseline = !options.baseline.empty() || !options.write_baseline.empty();
    throw IncompleteInput(
        fmt::format("these figures are not of a whole, undamaged run{}",
                    has_baseline ? ", and no baseline was written or compared with" : ""),
        warnings);
  }
  check(options, runs.front().figures());
}

}  // namespace evaluate_command

/// `evaluate`: how good a run is, or several side by side.
inline void add_evaluate_command(CLI::App& parent, const Common& common) {
  using evaluate_command::Options;
  const auto options = std::make_shared<Options>();
  auto* command = parent.add_subcommand(
      "evaluate",
      "Errors, honesty of the uncertainty, rollouts and cost of one run, or of several");
  command
      ->add_option("results", options->runs,
                   "Folders of `ovf replay`, or recordings of a live estimator")
      ->required()
      ->check(CLI::ExistingPath);
  command->add_option("--names", options->names, "What the runs are called in the report");
  command->add_option(
      "--ground-truth", options->truth,
      "A topic of the recording, or a TUM file; none: leave it out (default: a topic "
      "that is called ground_truth)");
  command->add_option("--align", options->alignment, "How estimates may be moved onto the truth")
      ->check(CLI::IsMember({"none", "first_pose", "se2", "se3", "sim3"}))
      ->capture_default_str();
  command
      ->add_option("--longest-gap", options->evaluation.longest_gap,
                   "Of the truth, over which nothing is interpolated, in seconds (default: three "
                   "of its usual "
                   "steps)")
      ->check(CLI::PositiveNumber);
  command->add_option("--time-offset", options->evaluation.time_offset,
                      "Added to the estimates' times, in seconds");
  command
      ->add_option("--baseline", options->baseline,
                   "Figures and tolerances (JSON); exit code 4 if the first run is out of them")
      ->check(CLI::ExistingFile);
  command->add_option("--write-baseline", options->write_baseline,
                      "Write the first run's figures as a baseline");
  command->add_option("--tolerance", options->tolerance, "Share of each figure in that baseline")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->fallthrough();
  command->callback([options, &common] { evaluate_command::run(*options, common); });
}
