#pragma once

#include "ovf/vision/load_image_model.hpp"

namespace ovf {

/// Loads both networks of the model and runs them once: whether they are what they should be.
/// Throws ImageModelError.
void try_networks(const StoredImageModel& model);

}  // namespace ovf
