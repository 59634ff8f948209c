#include "vision/vae_networks.hpp"

#include "vision/stored_model_limits.hpp"

namespace ovf {
namespace {

constexpr int kResidualBlocks = 2;

/// Of Section 5.3, with the relu after the addition that the reference implementation has.
void add_residual_blocks(NetworkBuilder& net) {
  for (int k = 0; k < kResidualBlocks; ++k) {
    net.open_residual();
    net.conv(32, 3);
    net.relu();
    net.conv(128, 1);
    net.close_residual();
    net.relu();
  }
}

void add_paper_decoder(NetworkBuilder& net, int height, int width) {
  net.linear(32 * height * width);
  net.view(32, height, width);
  net.conv(128, 3);
  net.relu();
  add_residual_blocks(net);
  net.transposed_conv(64);
  net.relu();
  net.transposed_conv(Image::kChannels);
}

void add_paper_encoder(NetworkBuilder& net, int latent_dim) {
  net.strided_conv(64);
  net.relu();
  net.strided_conv(128);
  net.relu();
  net.conv(128, 3);
  net.relu();
  add_residual_blocks(net);
  net.flatten();
  net.linear(2 * latent_dim);
}

void add_small_decoder(NetworkBuilder& net, int height, int width) {
  net.linear(256);
  net.relu();
  net.linear(48 * height * width);
  net.relu();
  net.view(48, height, width);
  net.transposed_conv(32);
  net.relu();
  net.transposed_conv(Image::kChannels);
}

void add_small_encoder(NetworkBuilder& net, int latent_dim) {
  net.strided_conv(32);
  net.relu();
  net.strided_conv(64);
  net.relu();
  net.flatten();
  net.linear(256);
  net.relu();
  net.linear(2 * latent_dim);
}

}  // namespace

VaeNetworks vae_networks(VaeArchitecture architecture, int latent_dim, ImageSize size) {
  NetworkBuilder decoder(latent_dim, 1, 1);
  NetworkBuilder encoder(Image::kChannels, size.height, size.width);
  const bool is_paper = architecture == VaeArchitecture::kPaper;
  (is_paper ? add_paper_decoder : add_small_decoder)(decoder, size.height / 4, size.width / 4);
  (is_paper ? add_paper_encoder : add_small_encoder)(encoder, latent_dim);
  return {.decoder = decoder.network(), .encoder = encoder.network()};
}

bool fits_into_memory(const Network& decoder, int latent_dim) {
  return (1 + latent_dim) * decoder.largest_output <= kLargestActivation;
}

}  // namespace ovf
