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

/// What every sub-command needs.
struct Common {
  std::string out = "results";
  std::string command;
};

/// Runs an experiment, writes its result folder, says where it is and returns its page.
inline std::filesystem::path run_and_write(const Common& common,
                                           const std::function<ovf::Report()>& experiment) {
  using Clock = std::chrono::steady_clock;
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
  std::filesystem::path page = std::filesystem::absolute(folder.path() / "report.html");
  fmt::print("report: {}\n", page.string());
  return page;
}
