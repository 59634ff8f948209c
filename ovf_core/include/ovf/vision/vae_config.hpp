#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ovf/vision/image.hpp"

namespace ovf {

/// paper: that of Section 5.3. small: several times cheaper, for robots without a GPU.
enum class VaeArchitecture { kSmall, kPaper };
/// Of a pixel: |error|, or error^2 / (2 variance), as the observation model N(decoder(x), V) has it.
enum class VaeLoss { kAbsolute, kSquared };

/// A variational auto-encoder of pictures and how it is trained.
struct VaeConfig {
  VaeArchitecture architecture = VaeArchitecture::kSmall;
  int latent_dim = 32;
  /// Multiples of 4.
  ImageSize size = {32, 32};

  int epochs = 100;
  int batch = 32;
  /// Of Adam; falls to `final_rate` times this along half a cosine over the epochs.
  double rate = 1e-3;
  double final_rate = 0.05;
  /// Not given: absolute for the paper's architecture, squared for the small one.
  std::optional<VaeLoss> loss = {};
  /// Of the squared loss; that of the observation model of Section 5.3 by default.
  double variance = 0.1;
  /// Of the divergence from N(0, I).
  double kl_weight = 1.0;
  /// Pictures that are kept apart to see when to stop.
  double validation_share = 0.1;
  /// Training ends after this many epochs without a lower validation loss.
  int patience = 15;
  std::uint64_t seed = 1;
  /// 0: as many as the machine has cores. Sums depend on it in their last digits.
  int threads = 0;

  VaeLoss used_loss() const {
    return loss.value_or(architecture == VaeArchitecture::kPaper ? VaeLoss::kAbsolute
                                                                 : VaeLoss::kSquared);
  }
};

/// Throws std::invalid_argument naming the setting and its value.
void check(const VaeConfig& config);

std::string name_of(VaeArchitecture architecture);
/// Throws std::invalid_argument on another name than small and paper.
VaeArchitecture vae_architecture(const std::string& name);

}  // namespace ovf
