#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "ovf/estimator/config_of_method.hpp"
#include "ovf/evaluation/benchmark.hpp"
#include "ovf/evaluation/tune_noise.hpp"
#include "run_and_write.hpp"
#include "run_command.hpp"

namespace benchmark_command {

struct Options {
  std::vector<std::string> folders;
  std::vector<std::string> methods = ovf::method_names();
};

inline std::vector<ovf::BenchmarkEntry> entries_of(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) return ovf::read_benchmark_file(folder);
  const auto file = folder / ovf::kBenchmarkFile;
  if (std::filesystem::exists(file)) return ovf::read_benchmark_file(file);
  return ovf::find_benchmark_entries(folder);
}

inline std::vector<ovf::BenchmarkEntry> entries_of(const Options& options) {
  std::vector<std::string> folders = options.folders;
  if (folders.empty()) {
    const char* data = std::getenv("OVF_DATA_DIR");
    if (data == nullptr || *data == '\0') {
      throw std::invalid_argument(
          "no FOLDER, and OVF_DATA_DIR is not set; expected a folder of recordings");
    }
    folders.emplace_back(data);
  }
  std::vector<ovf::BenchmarkEntry> all;
  for (const std::string& folder : folders) {
    for (ovf::BenchmarkEntry& entry : entries_of(std::filesystem::path(folder))) {
      all.push_back(std::move(entry));
    }
  }
  if (all.empty()) {
    throw std::invalid_argument(fmt::format(
        "{}: has no {}, and no recording with a topic called ground_truth and a configuration "
        "beside it",
        fmt::join(folders, ", "), ovf::kBenchmarkFile));
  }
  return all;
}

/// ekf-tuned goes over each recording up to 200 times.
inline std::vector<std::string> all_methods() {
  std::vector<std::string> names = ovf::method_names();
  names.emplace_back(ovf::kTunedMethod);
  return names;
}

/// Lines of a table whose rows come one by one.
class Scoreboard {
 public:
  explicit Scoreboard(const std::vector<ovf::BenchmarkEntry>& entries) {
    for (const std::string& name : header_) widths_.push_back(name.size());
    for (const auto& entry : entries) widths_[0] = std::max(widths_[0], entry.name.size());
    for (const std::string& name : all_methods()) {
      widths_[1] = std::max(widths_[1], name.size());
    }
    print(header_);
  }

  void print(const std::vector<std::string>& row) const {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool left = i < 2 || row.size() < header_.size();
      line += left ? fmt::format("{:<{}}  ", row[i], widths_[i])
                   : fmt::format("{:>{}}  ", row[i], widths_[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", ovf::printable(line, 2000));
    std::fflush(stdout);
  }

 private:
  std::vector<std::string> header_ = ovf::benchmark_header();
  std::vector<std::size_t> widths_;
};

inline void run(const Options& options, const Common& common) {
  const auto begun = std::chrono::steady_clock::now();
  const auto entries = entries_of(options);
  const Scoreboard board(entries);
  std::vector<ovf::BenchmarkScore> scores;
  std::vector<std::string> failed;
  for (const ovf::BenchmarkEntry& entry : entries) {
    ovf::run_benchmark_entry(entry, options.methods, [&](const ovf::BenchmarkScore& score) {
      board.print(ovf::benchmark_row(score));
      scores.push_back(score);
      if (!score.error.empty() && (failed.empty() || failed.back() != score.entry)) {
        failed.push_back(score.entry);
      }
    });
  }
  write_results(common, ovf::benchmark_report(scores), begun);
  std::set<std::string> damage;
  for (const ovf::BenchmarkScore& score : scores) {
    damage.insert(score.damage.begin(), score.damage.end());
  }
  for (const std::string& each : damage) print_error(each);
  if (!failed.empty()) {
    throw std::runtime_error(fmt::format("{} of {} entries failed: {}", failed.size(),
                                         entries.size(), fmt::join(failed, ", ")));
  }
  if (!damage.empty()) {
    throw IncompleteInput("recordings are damaged (see above); what could be read was used");
  }
}

}  // namespace benchmark_command

/// `benchmark`: a scoreboard of methods over recordings with a ground truth.
inline void add_benchmark_command(CLI::App& parent, const Common& common) {
  using benchmark_command::Options;
  const auto options = std::make_shared<Options>();
  auto* command = parent.add_subcommand(
      "benchmark", "Scoreboard of methods over recordings that have a ground truth");
  command
      ->add_option("folders", options->folders,
                   "Folders with a benchmark.yaml, or with recordings and configurations beside "
                   "them (default: $OVF_DATA_DIR)")
      ->check(CLI::ExistingPath);
  command
      ->add_option("--methods", options->methods,
                   "What to compare, with commas between; ekf-tuned takes many passes")
      ->delimiter(',')
      ->check(CLI::IsMember(benchmark_command::all_methods()))
      ->capture_default_str();
  command->fallthrough();
  command->callback([options, &common] { benchmark_command::run(*options, common); });
}
