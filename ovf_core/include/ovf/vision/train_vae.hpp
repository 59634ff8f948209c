#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "ovf/vision/image.hpp"
#include "ovf/vision/stored_image_model.hpp"
#include "ovf/vision/vae_config.hpp"

// Part of ovf::torch, which there is where LibTorch was found.
namespace ovf {

/// How far the training is after one round over the pictures. Losses are per picture.
struct VaeEpoch {
  int number = 0;  ///< from 1
  double train_loss = 0.0;
  double validation_loss = 0.0;
  /// Of the validation pictures' pixels, as explained_variance has it.
  double explained_variance = 0.0;
  bool is_best = false;
};

struct VaeCallbacks {
  /// After each batch, with the number of its pictures.
  std::function<void(std::size_t)> batch = {};
  /// After each epoch, when its checkpoint is written. What it throws ends the training.
  std::function<void(const VaeEpoch&)> epoch = {};
};

struct VaeCheckpoint {
  /// Replaced after each epoch; empty: none is written.
  std::filesystem::path file = {};
  /// Go on from it, if it is there.
  bool resume = false;
};

struct VaeTraining {
  /// That of the best epoch, the one with the lowest validation loss.
  StoredImageModel model;
  std::vector<VaeEpoch> epochs = {};
  VaeEpoch best = {};
};

/// Trains encoder and decoder on the pictures, all of the configured size. The same pictures,
/// configuration and number of threads give the same model; so does a training that was interrupted
/// and resumed. Throws std::invalid_argument on a bad configuration or fewer than 2 pictures,
/// ImageError on a picture of another size, ImageModelError on a checkpoint of another training or
/// a loss that is not finite any more.
VaeTraining train_vae(const std::vector<Image>& images, const VaeConfig& config,
                      const VaeCallbacks& callbacks = {}, const VaeCheckpoint& checkpoint = {});

}  // namespace ovf
