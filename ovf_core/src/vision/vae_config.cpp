#include "ovf/vision/vae_config.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "vision/stored_model_limits.hpp"
#include "vision/vae_networks.hpp"

namespace ovf {
namespace {

template <typename Value>
void require(bool holds, const char* name, Value value, const std::string& expected) {
  if (holds) return;
  throw std::invalid_argument(fmt::format("vae: {} is {}; expected {}", name, value, expected));
}

void require_side(const char* name, int side) {
  require(side >= 4 && side <= kLargestModelSide && side % 4 == 0, name, side,
          fmt::format("a multiple of 4 up to {}", kLargestModelSide));
}

}  // namespace

void check(const VaeConfig& config) {
  require(config.latent_dim >= 1 && config.latent_dim <= kLargestLatentDim, "latent_dim",
          config.latent_dim, fmt::format("1 to {}", kLargestLatentDim));
  require_side("width", config.size.width);
  require_side("height", config.size.height);
  const VaeNetworks networks = vae_networks(config.architecture, config.latent_dim, config.size);
  require(fits_into_memory(networks.decoder, config.latent_dim) &&
              networks.decoder.parameter_count() <= kLargestParameterCount &&
              networks.encoder.parameter_count() <= kLargestParameterCount,
          "size", fmt::format("{} x {}", config.size.width, config.size.height),
          fmt::format("less with {} latent numbers: the networks would be too large",
                      config.latent_dim));
  require(config.epochs >= 1, "epochs", config.epochs, "at least 1");
  require(config.batch >= 1, "batch", config.batch, "at least 1");
  require(config.rate > 0.0 && config.rate <= 1.0, "rate", config.rate, "above 0, up to 1");
  require(config.final_rate > 0.0 && config.final_rate <= 1.0, "final_rate", config.final_rate,
          "above 0, up to 1");
  require(config.variance > 0.0 && config.variance <= 1e6, "variance", config.variance,
          "above 0, up to 1e6");
  require(config.kl_weight >= 0.0 && config.kl_weight <= 1e6, "kl_weight", config.kl_weight,
          "0 to 1e6");
  require(config.validation_share > 0.0 && config.validation_share < 1.0, "validation_share",
          config.validation_share, "between 0 and 1");
  require(config.patience >= 1, "patience", config.patience, "at least 1");
  require(config.threads >= 0 && config.threads <= 1024, "threads", config.threads,
          "0 (all cores) to 1024");
}

std::string name_of(VaeArchitecture architecture) {
  return architecture == VaeArchitecture::kPaper ? "paper" : "small";
}

VaeArchitecture vae_architecture(const std::string& name) {
  for (const auto each : {VaeArchitecture::kSmall, VaeArchitecture::kPaper}) {
    if (name_of(each) == name) return each;
  }
  throw std::invalid_argument(
      fmt::format("vae: there is no architecture {}; expected small or paper", name));
}

}  // namespace ovf
