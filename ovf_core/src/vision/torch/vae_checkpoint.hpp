#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <vector>

#include "ovf/math/random.hpp"
#include "ovf/vision/train_vae.hpp"

namespace ovf {

/// Everything that changes while training.
struct VaeState {
  Eigen::VectorXf parameters = {};
  Eigen::VectorXf best_parameters = {};
  Eigen::VectorXf first_moments = {};  // of Adam
  Eigen::VectorXf second_moments = {};
  std::int64_t steps = 0;
  RandomStream random{0};
  std::vector<VaeEpoch> epochs = {};
};

/// Which training it is of: its settings and its pictures.
std::string training_identity(const VaeConfig& config, const std::vector<Image>& images);

/// A reader sees the whole file or the one before. Throws ImageModelError.
void write_checkpoint(const std::filesystem::path& file, const std::string& identity,
                      VaeState& state);
/// The sizes of the vectors must be those of `state`. Throws ImageModelError.
void read_checkpoint(const std::filesystem::path& file, const std::string& identity,
                     VaeState& state);

}  // namespace ovf
