#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "interrupt.hpp"
#include "ovf/config/printable.hpp"

// What a command ends with; the table is in docs/recordings.md. An interrupted one: 128 and the
// number of the signal, as in a shell.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kBadCommandLine = 2;
inline constexpr int kIncomplete = 3;
inline constexpr int kOutOfTolerance = 4;

/// A run that reached its end, but whose input was damaged, cut short or of no use: what could be
/// read was used.
class IncompleteInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  IncompleteInput(const std::string& what, const std::vector<std::string>& warnings)
      : IncompleteInput(fmt::format("{}:\n{}", what, fmt::join(printed(warnings), "\n"))) {}

 private:
  static std::vector<std::string> printed(const std::vector<std::string>& warnings) {
    std::vector<std::string> lines;
    lines.reserve(warnings.size());
    for (const std::string& warning : warnings) lines.push_back(ovf::printable(warning, 2000));
    return lines;
  }
};

/// Figures that left their tolerance.
class BaselineFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// To the terminal: an error, or a warning that ends nothing. It may have foreign names in it.
inline void print_error(const std::string& what) {
  fmt::print(stderr, "ovf: {}\n", ovf::printable_lines(what));
}

/// Parses the command line and runs the command that it names. What `main` returns.
inline int run_command(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    // A full disk behind `ovf info ... > file` shows only now.
    std::cout.flush();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout) {
      throw std::runtime_error("cannot write to the standard output; is the disk full?");
    }
    return kDone;
  } catch (const CLI::ParseError& error) {
    std::ostringstream complaint;
    if (app.exit(error, std::cout, complaint) == 0) return kDone;
    fmt::print(stderr, "{}\n", ovf::printable_lines(complaint.str()));
    return kBadCommandLine;
  } catch (const IncompleteInput& error) {
    print_error(error.what());
    return kIncomplete;
  } catch (const BaselineFailure& error) {
    print_error(error.what());
    return kOutOfTolerance;
  } catch (const Interrupted& error) {
    print_error(error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    print_error("there is not enough memory");
    return kFailed;
  } catch (const std::exception& error) {
    print_error(error.what());
    return kFailed;
  }
}
