#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "ovf/vision/camera_estimator.hpp"
#include "ovf_ros/camera/camera_diagnostics.hpp"
#include "ovf_ros/camera/camera_monitor.hpp"
#include "ovf_ros/camera/camera_node_config.hpp"
#include "ovf_ros/camera/camera_outputs.hpp"
#include "ovf_ros/camera/camera_services.hpp"
#include "ovf_ros/camera/fair_mutex.hpp"
#include "ovf_ros/camera/frame_mailbox.hpp"
#include "ovf_ros/camera/image_input.hpp"
#include "ovf_ros/camera/spin_thread.hpp"
#include "ovf_ros/input_subscriptions.hpp"
#include "ovf_ros/log_limiter.hpp"
#include "ovf_ros/managed_node.hpp"

namespace ovf_ros {

/// ovf::CameraEstimator as a lifecycle node.
///
/// While it is active it has two threads. One receives pictures and controls and puts the newest
/// picture into a mailbox; the other takes it out, runs the estimator and publishes. Everything
/// else happens in the node's default callback group. The mutex is for the estimator and what is
/// published of it.
class CameraNode : public ManagedNode, private CameraActions {
 public:
  using LoadModel = std::function<ovf::ImageModel(const ovf::CameraConfig& config)>;

  /// With models in folders, which LibTorch runs.
  explicit CameraNode(const rclcpp::NodeOptions& options = rclcpp::NodeOptions());
  CameraNode(const rclcpp::NodeOptions& options, LoadModel load_model);
  /// Saves the checkpoint if the node is active.
  ~CameraNode() override;

  /// Null unless configured. While the node is active its worker changes it.
  const ovf::CameraEstimator* current_estimator() const { return estimator_.get(); }
  CameraMonitor::View view() { return monitor_.view(); }

 private:
  // For the services.
  std::string save(const std::string& path) override;
  std::string load(const std::string& path) override;
  void reset(const ovf_msgs::srv::Reset::Request& request) override;
  void set_learning(bool on) override;

  void configure_all() override;
  void start() override;
  void stop() override;
  void stopped() override { save_checkpoint(); }
  void drop() override;
  bool is_live(const std::string& key) const override;
  std::string refusal(const rclcpp::Parameter& change) const override;
  void apply(const std::vector<rclcpp::Parameter>& changes) override;

  void load_checkpoint();
  void save_checkpoint();
  void listen_to_controls();

  // The thread that receives.
  void receive(Picture picture);
  void receive_control(const std::string& type, std::span<const std::byte> bytes);
  // The one that works.
  void work();
  void process(const Frame& frame);
  void refuse(const std::string& outcome, const std::string& reason);

  void watch();
  void set_status_timer();
  ovf::Stamp now_ns();
  bool is_worth_logging(const std::string& key, const std::string& text = {});

  LoadModel load_model_;
  CameraNodeConfig config_;
  ovf::CameraConfig camera_config_;
  CameraMonitor monitor_;

  FairMutex mutex_;
  std::unique_ptr<ovf::CameraEstimator> estimator_;
  std::unique_ptr<CameraOutputs> outputs_;

  std::unique_ptr<CameraServices> services_;
  std::unique_ptr<CameraDiagnostics> diagnostics_;
  rclcpp::TimerBase::SharedPtr watch_timer_, status_timer_, checkpoint_timer_;

  // Of an active node.
  std::unique_ptr<FrameMailbox> mailbox_;
  rclcpp::CallbackGroup::SharedPtr control_group_;
  std::unique_ptr<ImageInput> images_;
  std::unique_ptr<InputSubscriptions> controls_;
  std::unique_ptr<SpinThread> receiver_;
  std::thread worker_;
  std::vector<Eigen::Vector2d> new_controls_;  ///< of the thread that receives

  std::mutex log_mutex_;
  LogLimiter log_limiter_;
};

}  // namespace ovf_ros
