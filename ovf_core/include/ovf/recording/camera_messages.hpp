#pragma once

#include <cstdint>
#include <string>

#include "ovf/recording/estimator_messages.hpp"
#include "ovf/vision/camera_estimator.hpp"

// What a camera's estimator has to say, as messages. Templates, for the messages of rclcpp and for
// those of recordings.
namespace ovf {

/// The latent state after a picture.
template <typename Posterior>
void fill_camera_posterior(const CameraEstimator& estimator, const FrameResult& result,
                           Posterior& out) {
  set_time(estimator.stamp(), out.header.stamp);
  out.header.frame_id = estimator.config().output.frame;
  const Gaussian& belief = estimator.belief();
  if (out.state.names.size() != static_cast<std::size_t>(belief.dim())) {
    out.state.names.clear();
    for (int i = 0; i < belief.dim(); ++i) {
      out.state.names.push_back("latent[" + std::to_string(i) + "]");
    }
  }
  out.state.mean.assign(belief.mean.data(), belief.mean.data() + belief.mean.size());
  out.state.covariance = rows_of(belief.covariance());
  out.reference.w = 1.0;
  out.relbo = result.elbo;
  out.updates.resize(1);
  auto& update = out.updates.front();
  update.sensor = "camera";
  update.stamp = out.header.stamp;
  update.target = -1;
  update.outcome = to_string(result.outcome);
  update.elbo_increment = result.elbo_increment;
  update.nis = result.nis;
}

/// rgb8; without its header.
template <typename ImageMessage>
void fill_image(const Image& image, ImageMessage& out) {
  out.width = static_cast<std::uint32_t>(image.width);
  out.height = static_cast<std::uint32_t>(image.height);
  out.encoding = "rgb8";
  out.is_bigendian = 0;
  out.step = static_cast<std::uint32_t>(Image::kChannels) * out.width;
  out.data = image.rgb;
}

}  // namespace ovf
