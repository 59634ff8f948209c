#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geometry_msgs/msg/pose_with_covariance_stamped.hpp"
#include "ovf/estimator/estimator.hpp"
#include "ovf/recording/to_measurements.hpp"
#include "ovf_ros/estimator_diagnostics.hpp"
#include "ovf_ros/estimator_outputs.hpp"
#include "ovf_ros/estimator_services.hpp"
#include "ovf_ros/initial_belief.hpp"
#include "ovf_ros/input_subscriptions.hpp"
#include "ovf_ros/log_limiter.hpp"
#include "ovf_ros/managed_node.hpp"
#include "ovf_ros/node_config.hpp"
#include "ovf_ros/static_mounting.hpp"

namespace ovf_ros {

/// ovf::Estimator as a lifecycle node. A sensor's message takes the way that it takes in a replay:
/// its bytes become what it says (sense_message), then measurements (MessageConversion), then steps
/// of the estimator.
///
/// Everything happens in the node's default callback group, one callback at a time: the estimator
/// needs no lock in any executor.
class EstimatorNode : public ManagedNode, private EstimatorActions {
 public:
  explicit EstimatorNode(const rclcpp::NodeOptions& options = rclcpp::NodeOptions());
  /// Saves the checkpoint if the node is active.
  ~EstimatorNode() override;

  /// Null unless configured.
  const ovf::Estimator* current_estimator() const { return estimator_.get(); }

 private:
  // For the services.
  ovf::Estimator& estimator() override;
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
  void apply(const std::vector<rclcpp::Parameter>& changes) override;

  void make_all();
  void make_estimator();
  void load_checkpoint();
  void save_checkpoint();

  void receive(const InputTopic& topic, const std::string& type, std::span<const std::byte> bytes);
  void process(const ovf::Message& message, ovf::Stamp now);
  void log_event(const ovf::Event& event);
  void take_mounting(int sensor, const std::string& type, const std::string& frame);
  /// By one of the present configuration.
  void replace_estimator(bool keep_state);
  /// A restored belief is relative to an origin of the world that is not in the file.
  void check_origin(bool had_origin);
  void receive_initial_pose(const geometry_msgs::msg::PoseWithCovarianceStamped& pose);
  void initialise(const InitialBelief& belief);
  void watch();
  ovf::Stamp now_ns();

  void set_status_timer();

  NodeConfig config_;
  ovf::EstimatorConfig estimator_config_;
  std::unique_ptr<ovf::Estimator> estimator_;
  std::unique_ptr<ovf::MessageConversion> conversion_;
  std::unique_ptr<EstimatorOutputs> outputs_;
  std::unique_ptr<EstimatorDiagnostics> diagnostics_;
  std::unique_ptr<StaticMounting> mounting_;
  std::unique_ptr<InputSubscriptions> inputs_;
  std::unique_ptr<EstimatorServices> services_;
  rclcpp::Subscription<geometry_msgs::msg::PoseWithCovarianceStamped>::SharedPtr initial_pose_;
  rclcpp::TimerBase::SharedPtr watch_timer_, status_timer_, checkpoint_timer_;

  LogLimiter log_limiter_;
  std::vector<ovf::Message> messages_;
  std::optional<InitialBelief> given_belief_;  ///< by a topic or a service
  std::optional<ovf::Stamp> first_stamp_;      ///< of the estimator's messages
  bool restored_ = false;
};

}  // namespace ovf_ros
