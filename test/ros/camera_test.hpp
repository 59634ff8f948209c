#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "ovf/math/random.hpp"
#include "ovf_ros/camera/camera_node.hpp"
#include "ros_test.hpp"
#include "sensor_msgs/msg/image.hpp"

namespace ovf_ros::test {

constexpr int kSide = 8;
constexpr int kPixels = 3 * kSide * kSide;
constexpr int kLatent = 3;

/// How long the models of this program take for a picture.
inline std::atomic<int> work_milliseconds = 0;
/// Whether they throw, as a network may.
inline std::atomic<bool> is_broken = false;

/// pixels = W x: a model of pictures that needs no LibTorch.
class LinearDecoder final : public ovf::ImageDecoder {
 public:
  LinearDecoder() : W_(kPixels, kLatent) {
    ovf::RandomStream random(1);
    random.fill_normal(W_);
  }
  const Eigen::MatrixXd& W() const { return W_; }

  int latent_dim() const override { return kLatent; }
  int pixel_dim() const override { return kPixels; }
  void decode(const Eigen::MatrixXd& latents, Eigen::MatrixXd& pixels) override {
    pixels = W_ * latents;
  }
  void vector_jacobian(const Eigen::MatrixXd& latents, const Eigen::MatrixXd& pixel_gradients,
                       Eigen::MatrixXd& pixels, Eigen::MatrixXd& latent_gradients) override {
    decode(latents, pixels);
    latent_gradients = W_.transpose() * pixel_gradients;
  }
  void jacobian(const Eigen::VectorXd& latent, Eigen::VectorXd& pixels,
                Eigen::MatrixXd& J) override {
    pixels = W_ * latent;
    J = W_;
  }

 private:
  Eigen::MatrixXd W_;
};

class LinearEncoder final : public ovf::ImageEncoder {
 public:
  explicit LinearEncoder(const Eigen::MatrixXd& W) : W_(W) {}
  void encode(const Eigen::VectorXd& pixels, Eigen::VectorXd& mean,
              Eigen::VectorXd& deviation) override {
    if (is_broken) throw std::runtime_error("a network that is broken");
    std::this_thread::sleep_for(std::chrono::milliseconds(work_milliseconds));
    mean = (W_.transpose() * W_).ldlt().solve(W_.transpose() * pixels);
    deviation.setConstant(kLatent, 0.1);
  }

 private:
  Eigen::MatrixXd W_;
};

inline ovf::ImageModel linear_model(const ovf::CameraConfig& config) {
  if (config.model != "linear") {
    throw std::runtime_error(config.model + ": no such model; expected linear");
  }
  const auto decoder = std::make_shared<LinearDecoder>();
  return {.name = "linear",
          .scale = ovf::PixelScale({kSide, kSide}, Eigen::VectorXf::Constant(kPixels, 0.5F),
                                   Eigen::VectorXf::Constant(kPixels, 0.1F)),
          .decoder = decoder,
          .encoder = std::make_shared<LinearEncoder>(decoder->W())};
}

class LinearCameraNode : public CameraNode {
 public:
  explicit LinearCameraNode(const rclcpp::NodeOptions& options)
      : CameraNode(options, linear_model) {}
};

/// Reliable, so that what is sent comes.
inline Parameters camera_parameters() {
  return {
      {"model", "linear"}, {"reliable_inputs", true}, {"motion.hidden", 4}, {"motion.blocks", 1}};
}

/// Each pixel of this grey.
inline sensor_msgs::msg::Image picture(double seconds, int grey = 128, int side = kSide) {
  sensor_msgs::msg::Image message;
  message.header.stamp = time_of(seconds);
  message.header.frame_id = "lens";
  message.width = message.height = static_cast<std::uint32_t>(side);
  message.encoding = "rgb8";
  message.step = 3 * message.width;
  message.data.assign(message.step * message.height, static_cast<std::uint8_t>(grey));
  return message;
}

class CameraTest : public RosTest {
 protected:
  CameraTest() {
    node_name_ = "ovf_camera";
    work_milliseconds = 0;
    is_broken = false;
  }

  std::shared_ptr<LinearCameraNode> active_camera(const Parameters& more = {},
                                                  const std::vector<std::string>& arguments = {}) {
    auto node = make_node<LinearCameraNode>(with(camera_parameters(), more), arguments);
    EXPECT_EQ(node->configure().id(), LifecycleState::PRIMARY_STATE_INACTIVE);
    EXPECT_EQ(node->activate().id(), LifecycleState::PRIMARY_STATE_ACTIVE);
    return node;
  }
  /// Of all pictures that came, whatever became of them.
  static long seen(CameraNode& node) {
    const CameraMonitor::View view = node.view();
    long sum = view.dropped;
    for (const long each : view.counts) sum += each;
    return sum;
  }
  /// Publishes, and spins until the node has seen it.
  template <typename Publisher, typename M>
  bool show(CameraNode& node, const Publisher& publisher, const M& message) {
    const long before = seen(node);
    publisher->publish(message);
    return spin_until([&] { return seen(node) > before; });
  }
};

}  // namespace ovf_ros::test
