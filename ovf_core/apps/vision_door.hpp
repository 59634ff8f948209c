#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

/// Hands the whole command over to ovf-vision, which lies beside this program and has LibTorch:
/// loading that takes half a second and 150 MB, which the other commands do without. Returns only
/// by throwing std::runtime_error.
[[noreturn]] inline void run_ovf_vision(const std::vector<std::string>& arguments) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto program = self.parent_path() / "ovf-vision";
  if (error || !std::filesystem::exists(program)) {
    throw std::runtime_error(fmt::format(
        "{}: there is no such program: OVF was built without LibTorch, which this command needs. "
        "Install it (Debian and Ubuntu 24.04: apt-get install libtorch-dev; elsewhere LibTorch "
        "from pytorch.org with the cxx11 ABI, and its folder in CMAKE_PREFIX_PATH), then build "
        "again.",
        program.string()));
  }
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), "ovf");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  throw std::runtime_error(fmt::format("{}: cannot be started ({})", program.string(),
                                       std::generic_category().message(errno)));
}

/// A command that ovf-vision has: listed here, with all that follows it handed over.
inline void add_vision_command(CLI::App& parent, const std::string& name,
                               const std::string& description,
                               const std::vector<std::string>& arguments) {
  auto* command = parent.add_subcommand(name, description);
  command->prefix_command();
  command->set_help_flag();
  command->callback([arguments] { run_ovf_vision(arguments); });
}
