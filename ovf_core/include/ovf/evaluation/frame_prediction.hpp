#pragma once

#include <Eigen/Core>
#include <vector>

#include "ovf/vision/camera_estimator.hpp"
#include "ovf/vision/camera_frame.hpp"

namespace ovf {

/// Mean squared errors of predicted pictures, by how many steps ahead (index 0: one step).
struct FramePredictionErrors {
  Eigen::VectorXd pixels;  ///< in standardised pixels, whose variance is one
  Eigen::VectorXd latent;  ///< against the mean of q at that time
};

/// How well pictures are predicted that come later.
struct FramePrediction {
  FramePredictionErrors learned;
  FramePredictionErrors untrained;    ///< by the network as it was before it learned
  FramePredictionErrors persistence;  ///< the last picture, and the last latent mean, stay
  double reconstruction = 0.0;        ///< pixel error of the pictures' own reconstructions
  int starts = 0;                     ///< from which predictions were made
};

/// Some predictions of one start, to look at.
struct PredictedStrip {
  std::vector<Image> truth, learned, untrained;
};

struct FramePredictionOptions {
  int horizon = 10;
  int every = 5;   ///< frames between two starts
  int strips = 6;  ///< evenly spread over the frames
};

/// The estimator goes on over these frames with its learning off; from every few of them it
/// predicts what comes, told of the controls if it takes any. `untrained` has the same
/// configuration and model, and has seen nothing.
FramePrediction predict_frames(const std::vector<CameraFrame>& frames, CameraEstimator& estimator,
                               const CameraEstimator& untrained,
                               const FramePredictionOptions& options,
                               std::vector<PredictedStrip>& strips);

/// The three rows of a strip under each other, `scale` screen pixels for each of theirs.
Image strip_image(const PredictedStrip& strip, int scale);

}  // namespace ovf
