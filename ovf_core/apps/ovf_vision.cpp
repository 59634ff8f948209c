// The commands of ovf that need LibTorch; `ovf` hands them over to this program.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "camera_replay_command.hpp"
#include "run_command.hpp"
#include "sequential_vae_command.hpp"
#include "test_vae_command.hpp"
#include "train_vae_command.hpp"

int main(int argc, char** argv) {
  CLI::App app("The commands of ovf that need LibTorch", "ovf");
  app.set_version_flag("--version", OVF_VERSION);
  app.require_subcommand(1);
  Common common;
  for (int i = 0; i < argc; ++i) common.command += (i == 0 ? "ovf" : std::string(" ") + argv[i]);
  app.add_option("--out", common.out, "Folder for results")->capture_default_str();
  auto* experiment = app.add_subcommand("experiment", "Reproduce a figure of the paper");
  experiment->require_subcommand(1)->fallthrough();
  add_sequential_vae_command(*experiment, common);
  for (auto* command : experiment->get_subcommands({})) command->fallthrough();
  add_camera_replay_command(app, common);
  add_train_vae_command(app);
  add_test_vae_command(app);
  return run_command(app, argc, argv);
}
