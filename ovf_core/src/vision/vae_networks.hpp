#pragma once

#include "ovf/vision/vae_config.hpp"
#include "vision/network.hpp"

namespace ovf {

/// The two networks of a model of pictures. `size` in multiples of 4.
struct VaeNetworks {
  /// (n, latent_dim) to (n, 3, height, width).
  Network decoder;
  /// (n, 3, height, width) to (n, 2 latent_dim): means, then logarithms of the deviations.
  Network encoder;
};

VaeNetworks vae_networks(VaeArchitecture architecture, int latent_dim, ImageSize size);

/// Whether the decoder's Jacobian, whose memory grows with the product of latent numbers and
/// pixels, stays within kLargestActivation.
bool fits_into_memory(const Network& decoder, int latent_dim);

}  // namespace ovf
