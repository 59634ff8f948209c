#include "ovf_ros/estimator_node.hpp"

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>

#include "ovf_ros/timers.hpp"
#include "rclcpp_components/register_node_macro.hpp"

// The lifecycle of the node. What it does while active is in estimator_node_input.cpp, what it is
// asked to do in estimator_node_actions.cpp.
namespace ovf_ros {
namespace {

constexpr std::chrono::seconds kWatchPeriod{1};

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

EstimatorNode::EstimatorNode(const rclcpp::NodeOptions& options) : ManagedNode("ovf", options) {
  services_ = std::make_unique<EstimatorServices>(*this, static_cast<EstimatorActions&>(*this));
  begin(config_);
}

EstimatorNode::~EstimatorNode() { end(); }

void EstimatorNode::configure_all() {
  try {
    make_all();
  } catch (const std::exception& error) {
    if (get_node_parameters_interface()->get_parameter_overrides().count("sensors") > 0) throw;
    throw std::invalid_argument(std::string(error.what()) +
                                "\nno sensors were given: a parameter file needs the node name " +
                                get_fully_qualified_name() + " or /**");
  }
  RCLCPP_INFO(get_logger(), "configured: %zu sensors, %d numbers of state",
              estimator_config_.sensors.size(), estimator_->layout().dim());
}

void EstimatorNode::make_all() {
  const NodeParameters parameters =
      declare_node_parameters(*get_node_parameters_interface(), checks_);
  config_ = parameters.node;
  estimator_config_ = parameters.estimator;
  make_estimator();
  outputs_ = std::make_unique<EstimatorOutputs>(*this, estimator_config_);
  outputs_->set_publish_tf(config_.publish_tf);
  diagnostics_ = std::make_unique<EstimatorDiagnostics>(*this, estimator_config_);
  diagnostics_->set_view({.estimator = estimator_.get()});
  load_checkpoint();
}

void EstimatorNode::make_estimator() {
  estimator_ = std::make_unique<ovf::Estimator>(estimator_config_, steady_seconds);
  conversion_ = std::make_unique<ovf::MessageConversion>(estimator_config_);
  estimator_->set_learning(config_.learning);
  first_stamp_.reset();
  restored_ = false;
}

void EstimatorNode::start() {
  diagnostics_->start();
  outputs_->publish_landmarks();
  if (config_.mounting_from_tf) {
    mounting_ = std::make_unique<StaticMounting>(*this, estimator_config_);
  }
  initial_pose_ = create_subscription<geometry_msgs::msg::PoseWithCovarianceStamped>(
      "initialpose", rclcpp::QoS(rclcpp::KeepLast(1)),
      [this](const geometry_msgs::msg::PoseWithCovarianceStamped::ConstSharedPtr& pose) {
        receive_initial_pose(*pose);
      });
  rclcpp::QoS qos(rclcpp::KeepLast(static_cast<std::size_t>(config_.input_depth)));
  if (!config_.reliable_inputs) qos.best_effort();
  auto topics = input_topics(estimator_config_, [this](const std::string& name) {
    return get_node_topics_interface()->resolve_topic_name(name);
  });
  inputs_ = std::make_unique<InputSubscriptions>(
      *this, std::move(topics), qos,
      [this](const InputTopic& topic, const std::string& type, std::span<const std::byte> bytes) {
        receive(topic, type, bytes);
      });
  diagnostics_->set_view({estimator_.get(), inputs_.get(), mounting_.get()});
  // By wall time: it is there to tell of a clock that does not run, too.
  watch_timer_ = create_wall_timer(kWatchPeriod, [this] { watch(); });
  set_status_timer();
  if (!config_.checkpoint.empty()) {
    checkpoint_timer_ = make_timer(*this, config_.checkpoint_period, [this] { save_checkpoint(); });
  }
}

void EstimatorNode::set_status_timer() {
  status_timer_ = make_timer(*this, estimator_config_.output.status_period,
                             [this] { outputs_->publish_status(*estimator_, now_ns()); });
}

void EstimatorNode::stop() {
  if (diagnostics_) diagnostics_->set_view({.estimator = estimator_.get()});
  watch_timer_.reset();
  status_timer_.reset();
  checkpoint_timer_.reset();
  inputs_.reset();
  initial_pose_.reset();
  mounting_.reset();
}

void EstimatorNode::drop() {
  diagnostics_.reset();
  outputs_.reset();
  conversion_.reset();
  estimator_.reset();
  given_belief_.reset();
}

}  // namespace ovf_ros

RCLCPP_COMPONENTS_REGISTER_NODE(ovf_ros::EstimatorNode)
