#include "vision/torch/vae_networks.hpp"

namespace ovf {
namespace {

constexpr int kResidualBlocks = 2;

/// Of Section 5.3, with the relu after the addition that the reference implementation has.
void add_residual_blocks(NetworkWriter& net) {
  for (int k = 0; k < kResidualBlocks; ++k) {
    net.open_residual();
    net.conv(128, 32, 3);
    net.relu();
    net.conv(32, 128, 1);
    net.close_residual();
    net.relu();
  }
}

void add_paper_decoder(NetworkWriter& net, int latent_dim, int height, int width) {
  net.linear(latent_dim, 32 * height * width);
  net.view(32, height, width);
  net.conv(32, 128, 3);
  net.relu();
  add_residual_blocks(net);
  net.transposed_conv(128, 64);
  net.relu();
  net.transposed_conv(64, Image::kChannels);
}

void add_paper_encoder(NetworkWriter& net, int latent_dim, int height, int width) {
  net.strided_conv(Image::kChannels, 64);
  net.relu();
  net.strided_conv(64, 128);
  net.relu();
  net.conv(128, 128, 3);
  net.relu();
  add_residual_blocks(net);
  net.flatten();
  net.linear(128 * height * width, 2 * latent_dim);
}

void add_small_decoder(NetworkWriter& net, int latent_dim, int height, int width) {
  net.linear(latent_dim, 128);
  net.relu();
  net.linear(128, 48 * height * width);
  net.relu();
  net.view(48, height, width);
  net.transposed_conv(48, 32);
  net.relu();
  net.transposed_conv(32, Image::kChannels);
}

void add_small_encoder(NetworkWriter& net, int latent_dim, int height, int width) {
  net.strided_conv(Image::kChannels, 32);
  net.relu();
  net.strided_conv(32, 64);
  net.relu();
  net.flatten();
  net.linear(64 * height * width, 128);
  net.relu();
  net.linear(128, 2 * latent_dim);
}

}  // namespace

NetworkScript vae_decoder(const VaeConfig& config) {
  NetworkWriter net("Decoder");
  const bool is_paper = config.architecture == VaeArchitecture::kPaper;
  (is_paper ? add_paper_decoder : add_small_decoder)(net, config.latent_dim, config.size.height / 4,
                                                     config.size.width / 4);
  return net.script(true);
}

NetworkScript vae_encoder(const VaeConfig& config) {
  NetworkWriter net("Encoder");
  const bool is_paper = config.architecture == VaeArchitecture::kPaper;
  (is_paper ? add_paper_encoder : add_small_encoder)(net, config.latent_dim, config.size.height / 4,
                                                     config.size.width / 4);
  return net.script(false);
}

}  // namespace ovf
