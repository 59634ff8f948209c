#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "ovf/evaluation/report.hpp"
#include "ovf/vision/camera_config.hpp"
#include "ovf/vision/camera_frame.hpp"
#include "ovf/vision/image_model.hpp"

namespace ovf {

struct SequentialVaeOptions {
  CameraConfig camera = {};
  /// Networks that start from other weights, on the same pictures.
  int seeds = 3;
  /// Times during the run at which theta is kept, for the curve of the likelihood.
  int snapshots = 20;
  /// Steps that pictures are predicted ahead.
  int horizon = 10;
  /// Learn without controls (as in the paper), with them, or one after the other.
  bool without_controls = true;
  bool with_controls = true;
};

/// Section 5.3: the latent state is filtered and its motion learned online over `frames`; then,
/// with learning off, pictures of `later` are predicted, which follow these in the same world. The
/// first frame's control is not used. Throws std::invalid_argument on too few frames.
Report sequential_vae(const ImageModel& model, const std::vector<CameraFrame>& frames,
                      const std::vector<CameraFrame>& later, const SequentialVaeOptions& options,
                      std::ostream& progress);

}  // namespace ovf
