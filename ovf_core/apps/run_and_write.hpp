#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>

#include "ovf/evaluation/report_files.hpp"
#include "ovf/evaluation/result_folder.hpp"
#include "ovf/evaluation/terminal_table.hpp"
#include "run_command.hpp"

/// What every sub-command needs.
struct Common {
  std::string out = "results";
  std::string command;
};

using SteadyTime = std::chrono::steady_clock::time_point;

/// Writes the result folder of a report that was begun then, says where it is and returns its page.
inline std::filesystem::path write_results(const Common& common, ovf::Report report,
                                           SteadyTime begun) {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  report.facts.emplace_back("Command", common.command);
  report.facts.emplace_back("Version", OVF_VERSION);
  report.facts.emplace_back("Duration", fmt::format("{:.1f} s", seconds));
  const ovf::ResultFolder folder(common.out, report.name);
  ovf::write_report(folder, report);
  if (const auto message = folder.link_latest()) print_error(*message);
  std::filesystem::path page = std::filesystem::absolute(folder.path() / "report.html");
  fmt::print("report: {}\n", page.string());
  return page;
}

/// Runs an experiment, prints its tables and writes its results.
inline std::filesystem::path run_and_write(const Common& common,
                                           const std::function<ovf::Report()>& experiment) {
  const SteadyTime begun = std::chrono::steady_clock::now();
  const ovf::Report report = experiment();
  fmt::print("\n{}\n\n", ovf::printable(report.title));
  for (const auto& table : report.tables) fmt::print("{}\n", ovf::terminal_table(table));
  return write_results(common, report, begun);
}
