#pragma once

#include <vector>

#include "ovf/vision/image.hpp"

namespace ovf {

/// Pictures side by side in rows of `columns`, each pixel `scale` wide and high, with gaps between
/// them; missing ones are left empty. Throws ImageError if they differ in size, there are none, or
/// the sheet is larger than kLargestImageSide.
Image contact_sheet(const std::vector<Image>& images, int columns, int scale = 1);

}  // namespace ovf
