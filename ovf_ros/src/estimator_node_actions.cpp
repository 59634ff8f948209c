#include <filesystem>
#include <stdexcept>

#include "ovf_ros/checkpoint_file.hpp"
#include "ovf_ros/estimator_node.hpp"

// What an EstimatorNode is asked to do: services, changes of parameters, checkpoints.
namespace ovf_ros {
ovf::Estimator& EstimatorNode::estimator() {
  if (!estimator_) throw std::runtime_error("the node is not configured");
  return *estimator_;
}

std::string EstimatorNode::save(const std::string& path) {
  std::string file = checkpoint_file(path, config_.checkpoint);
  estimator().save(file);
  return file;
}

std::string EstimatorNode::load(const std::string& path) {
  std::string file = checkpoint_file(path, config_.checkpoint);
  estimator().load(file);
  estimator_->set_learning(config_.learning);
  restored_ = !conversion_->frame();
  return file;
}

void EstimatorNode::reset(const ovf_msgs::srv::Reset::Request& request) {
  // First what may fail, so that a request that is refused changes nothing.
  std::optional<InitialBelief> belief;
  if (request.use_pose) belief = initial_belief(estimator(), request.pose, now_ns());
  estimator().reset(request.keep_parameters);
  given_belief_.reset();
  restored_ = false;
  if (belief) initialise(*belief);
}

void EstimatorNode::set_learning(bool on) {
  estimator();
  const auto result = set_parameter(rclcpp::Parameter("learning", on));
  if (!result.successful) throw std::runtime_error(result.reason);
}

void EstimatorNode::initialise(const InitialBelief& belief) {
  estimator().initialise(belief.stamp, belief.mean, belief.covariance, belief.reference);
  given_belief_ = belief;
  restored_ = false;
}

void EstimatorNode::load_checkpoint() {
  const std::filesystem::path path = config_.checkpoint;
  if (path.empty() || !std::filesystem::exists(path)) return;
  try {
    load({});
    restored_ = true;
    RCLCPP_INFO(get_logger(), "goes on from %s", path.c_str());
  } catch (const std::exception& error) {
    // Not within the macro, which takes no notice of what it does not log.
    const std::filesystem::path aside = set_aside(path);
    RCLCPP_WARN(get_logger(), "starts anew, the checkpoint is now %s: %s", aside.c_str(),
                error.what());
  }
}

void EstimatorNode::save_checkpoint() {
  if (config_.checkpoint.empty() || !estimator_ || !estimator_->initialised()) return;
  std::string problem;
  try {
    save({});
  } catch (const std::exception& error) {
    problem = error.what();
    if (log_limiter_.is_due("checkpoint", problem)) {
      RCLCPP_WARN(get_logger(), "checkpoint not saved: %s", error.what());
    }
  }
  diagnostics_->saved(problem);
}

bool EstimatorNode::is_live(const std::string& key) const {
  return ovf_ros::is_live(key, estimator_config_.sensors);
}

void EstimatorNode::apply(const std::vector<rclcpp::Parameter>& changes) {
  const NodeParameters parameters =
      declare_node_parameters(*get_node_parameters_interface(), checks_, changes);
  const ovf::OutputConfig& output = parameters.estimator.output;
  const bool other_status = output.status_period != estimator_config_.output.status_period;
  config_ = parameters.node;
  estimator_config_.output = output;
  estimator_->set_learning(config_.learning);
  for (std::size_t i = 0; i < estimator_config_.sensors.size(); ++i) {
    estimator_config_.sensors[i].gate = parameters.estimator.sensors[i].gate;
    estimator_->set_gate(static_cast<int>(i), estimator_config_.sensors[i].gate);
  }
  outputs_->set_periods(output);
  outputs_->set_publish_tf(config_.publish_tf);
  if (other_status && status_timer_) set_status_timer();
}

}  // namespace ovf_ros
