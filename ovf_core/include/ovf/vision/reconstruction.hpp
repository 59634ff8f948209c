#pragma once

#include <vector>

#include "ovf/vision/image.hpp"
#include "ovf/vision/image_model.hpp"

namespace ovf {

/// What the decoder makes of the encoder's mean, for each picture. Throws as both do.
std::vector<Image> reconstruct(const ImageModel& model, const std::vector<Image>& images);

/// The part of the variance of standardised pixels, each around its own mean over the pictures,
/// that the reconstructions explain: 1 is all of it, 0 no more than a constant picture. NaN for
/// fewer than two pictures.
double explained_variance(const ImageModel& model, const std::vector<Image>& images);

/// Rows of pictures, each above a row of their reconstructions: `count` of them, evenly spread.
Image reconstruction_sheet(const ImageModel& model, const std::vector<Image>& images,
                           std::size_t count = 24);

}  // namespace ovf
