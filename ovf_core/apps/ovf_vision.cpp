// The commands of ovf that need LibTorch; `ovf` hands them over to this program.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "test_vae_command.hpp"
#include "train_vae_command.hpp"

int main(int argc, char** argv) {
  CLI::App app("The commands of ovf that need LibTorch", "ovf");
  app.set_version_flag("--version", OVF_VERSION);
  app.require_subcommand(1);
  add_train_vae_command(app);
  add_test_vae_command(app);
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
