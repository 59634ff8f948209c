#include "ovf_ros/camera/camera_outputs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ovf/recording/camera_messages.hpp"
#include "ovf/vision/contact_sheet.hpp"
#include "ovf/vision/image_file.hpp"

namespace ovf_ros {
namespace {

constexpr double kMicro = 1e6;
constexpr double kNano = 1e9;
// At least as much as a contact sheet has.
constexpr int kGap = 8;

// Each pixel becomes a square of pixels.
ovf::Image enlarged(const ovf::Image& image, int scale) {
  const int largest = std::max(image.width, image.height);
  scale = std::clamp(scale, 1, std::max(1, ovf::kLargestImageSide / largest));
  ovf::Image out(scale * image.width, scale * image.height);
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      std::copy_n(image.at(x / scale, y / scale), ovf::Image::kChannels, out.at(x, y));
    }
  }
  return out;
}

}  // namespace

ovf::Image picture_strip(const std::vector<ovf::Image>& images, int scale) {
  const int count = static_cast<int>(images.size());
  for (; scale > 1; --scale) {
    const int across = ovf::kLargestImageSide / (scale * images.front().width + kGap);
    const int down = ovf::kLargestImageSide / (scale * images.front().height + kGap);
    if (std::min(across, count) * down >= count) break;
  }
  const int across = ovf::kLargestImageSide / (scale * images.front().width + kGap);
  return contact_sheet(images, std::clamp(across, 1, count), scale);
}

CameraOutputs::CameraOutputs(rclcpp_lifecycle::LifecycleNode& node, ovf::CameraOutputConfig output,
                             int scale)
    : output_(std::move(output)), scale_(scale) {
  rclcpp::PublisherOptions options;
  options.qos_overriding_options = rclcpp::QosOverridingOptions::with_default_policies();
  const rclcpp::QoS reliable(rclcpp::KeepLast(10));
  const auto add = [&]<typename M>(const char* name, Publisher<M>& out) {
    out = node.create_publisher<M>(name, reliable, options);
  };
  add("~/posterior", posterior_);
  add("~/reconstruction", reconstruction_);
  add("~/predicted_image", predicted_image_);
  add("~/prediction", prediction_);
  add("~/novelty", novelty_);
  add("~/status", status_);
}

void CameraOutputs::set_output(const ovf::CameraOutputConfig& output, int scale) {
  output_ = output;
  scale_ = scale;
}

void CameraOutputs::publish(const ovf::CameraEstimator& estimator, const ovf::FrameResult& result,
                            const std::string& frame) {
  frame_ = frame.empty() ? output_.frame : frame;
  const ovf::Stamp stamp = estimator.stamp();
  fill_camera_posterior(estimator, result, posterior_message_);
  posterior_message_.header.frame_id = frame_;
  posterior_->publish(posterior_message_);
  // The first picture of a run was not predicted.
  if (std::isfinite(result.novelty)) {
    ovf_msgs::msg::Novelty novelty;
    novelty.header = posterior_message_.header;
    novelty.novelty = result.novelty;
    novelty.nis = result.nis;
    novelty_->publish(novelty);
  }
  if (reconstruction_->get_subscription_count() > 0) {
    publish_image(enlarged(estimator.reconstruction(), scale_), stamp, reconstruction_);
  }
  const bool wants_next = predicted_image_->get_subscription_count() > 0;
  const bool wants_more = is_prediction_due(stamp) && prediction_->get_subscription_count() > 0;
  if (!wants_next && !wants_more) return;
  std::vector<ovf::Image> images;
  for (const ovf::Gaussian& latent : estimator.predict(wants_more ? output_.predicted_frames : 1)) {
    images.push_back(estimator.decoded(latent.mean));
  }
  if (images.empty()) return;
  if (wants_next) {
    // Its stamp is the time that it is a prediction of.
    const auto step = static_cast<ovf::Stamp>(std::llround(kNano / estimator.config().rate));
    publish_image(enlarged(images.front(), scale_), stamp + step, predicted_image_);
  }
  if (wants_more) publish_image(picture_strip(images, scale_), stamp, prediction_);
}

bool CameraOutputs::is_prediction_due(ovf::Stamp now) {
  if (output_.prediction_period <= 0.0) return false;
  const auto step = static_cast<ovf::Stamp>(std::llround(output_.prediction_period * kNano));
  if (now < next_prediction_ && next_prediction_ - now <= step) return false;
  next_prediction_ = now + step;
  return true;
}

void CameraOutputs::publish_image(const ovf::Image& image, ovf::Stamp stamp,
                                  const Publisher<sensor_msgs::msg::Image>& publisher) {
  ovf::fill_image(image, image_message_);
  ovf::set_time(stamp, image_message_.header.stamp);
  image_message_.header.frame_id = frame_;
  publisher->publish(image_message_);
}

void CameraOutputs::publish_status(const CameraMonitor::View& view, ovf::Stamp now) {
  const auto count = [&](ovf::FrameOutcome outcome) {
    return static_cast<std::uint64_t>(view.count(outcome));
  };
  ovf_msgs::msg::CameraStatus& out = status_message_;
  ovf::set_time(view.initialised ? view.stamp : now, out.header.stamp);
  out.initialised = view.initialised;
  out.learning = view.learning;
  out.used = count(ovf::FrameOutcome::kUsed);
  out.too_soon = count(ovf::FrameOutcome::kTooSoon);
  out.duplicate = count(ovf::FrameOutcome::kDuplicate);
  out.out_of_order = count(ovf::FrameOutcome::kOutOfOrder);
  out.bad_stamp = count(ovf::FrameOutcome::kBadStamp);
  out.bad_image = count(ovf::FrameOutcome::kBadImage);
  out.numerical_failure = count(ovf::FrameOutcome::kNumericalFailure);
  out.dropped = static_cast<std::uint64_t>(view.dropped);
  out.restarts = static_cast<std::uint64_t>(view.restarts);
  out.parameters_restored = static_cast<std::uint64_t>(view.parameters_restored);
  out.novelty = view.novelty;
  out.nis = view.nis;
  out.relbo = view.relbo;
  out.input_rate = view.pictures.rate;
  out.used_rate = view.used_rate;
  out.latency_p50 = kMicro * view.latency[0];
  out.latency_p95 = kMicro * view.latency[1];
  out.latency_p99 = kMicro * view.latency[2];
  out.latency_max = kMicro * view.latency[3];
  status_->publish(out);
}

}  // namespace ovf_ros
