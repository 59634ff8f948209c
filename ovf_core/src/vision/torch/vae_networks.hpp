#pragma once

#include "ovf/vision/vae_config.hpp"
#include "vision/torch/network_script.hpp"

namespace ovf {

/// (n, latent_dim) to (n, 3, height, width).
NetworkScript vae_decoder(const VaeConfig& config);
/// (n, 3, height, width) to (n, 2 latent_dim): means, then logarithms of the deviations.
NetworkScript vae_encoder(const VaeConfig& config);

}  // namespace ovf
