#pragma once

#include <cstdint>

#include "ovf/vision/image_file.hpp"

namespace ovf {

// What a stored model may ask for; beyond it, it is refused before memory is taken for it.
inline constexpr int kLargestLatentDim = 1024;
inline constexpr int kLargestModelSide = kLargestImageSide;
inline constexpr std::uintmax_t kLargestModelFile = 512U << 20U;
inline constexpr std::int64_t kLargestParameterCount = kLargestModelFile / sizeof(float);
/// Numbers in the largest tensor of a Jacobian: 1 GiB of them.
inline constexpr std::int64_t kLargestActivation = std::int64_t{1} << 28U;
inline constexpr std::uintmax_t kLargestManifest = 1U << 20U;

}  // namespace ovf
