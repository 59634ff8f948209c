#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ovf/vision/camera_estimator.hpp"
#include "ovf_msgs/msg/camera_status.hpp"
#include "ovf_msgs/msg/novelty.hpp"
#include "ovf_msgs/msg/posterior.hpp"
#include "ovf_ros/camera/camera_monitor.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"
#include "sensor_msgs/msg/image.hpp"

namespace ovf_ros {

/// Everything that a CameraNode publishes, but for diagnostics. Pictures are made if somebody
/// listens.
class CameraOutputs {
 public:
  /// The publishers are managed by the node: they publish while it is active.
  CameraOutputs(rclcpp_lifecycle::LifecycleNode& node, ovf::CameraOutputConfig output, int scale);

  /// After a picture that was used; `frame` is the one it came in.
  void publish(const ovf::CameraEstimator& estimator, const ovf::FrameResult& result,
               const std::string& frame);
  /// May be called by another thread than the others.
  void publish_status(const CameraMonitor::View& view, ovf::Stamp now);

  void set_output(const ovf::CameraOutputConfig& output, int scale);

 private:
  template <typename M>
  using Publisher = std::shared_ptr<rclcpp_lifecycle::LifecyclePublisher<M>>;

  bool is_prediction_due(ovf::Stamp now);
  void publish_image(const ovf::Image& image, ovf::Stamp stamp,
                     const Publisher<sensor_msgs::msg::Image>& publisher);

  ovf::CameraOutputConfig output_;
  int scale_;
  Publisher<ovf_msgs::msg::Posterior> posterior_;
  Publisher<sensor_msgs::msg::Image> reconstruction_, predicted_image_, prediction_;
  Publisher<ovf_msgs::msg::Novelty> novelty_;
  Publisher<ovf_msgs::msg::CameraStatus> status_;
  std::string frame_;
  ovf::Stamp next_prediction_ = 0;
  // Their memory serves picture after picture.
  ovf_msgs::msg::Posterior posterior_message_;
  sensor_msgs::msg::Image image_message_;
  ovf_msgs::msg::CameraStatus status_message_;
};

/// Pictures side by side, `scale` times as large, in several rows if one would be too wide, and
/// smaller if they would be too many.
ovf::Image picture_strip(const std::vector<ovf::Image>& images, int scale);

}  // namespace ovf_ros
