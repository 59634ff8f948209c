#include <filesystem>
#include <stdexcept>

#include "ovf_ros/camera/camera_node.hpp"
#include "ovf_ros/checkpoint_file.hpp"

// What a CameraNode is asked to do: services, changes of parameters, checkpoints.
namespace ovf_ros {
namespace {

void require(const std::unique_ptr<ovf::CameraEstimator>& estimator) {
  if (!estimator) throw std::runtime_error("the node is not configured");
}

}  // namespace

std::string CameraNode::save(const std::string& path) {
  require(estimator_);
  std::string file = checkpoint_file(path, config_.checkpoint);
  const std::lock_guard lock(mutex_);
  estimator_->save(file);
  return file;
}

std::string CameraNode::load(const std::string& path) {
  require(estimator_);
  std::string file = checkpoint_file(path, config_.checkpoint);
  const std::lock_guard lock(mutex_);
  estimator_->load(file);
  estimator_->set_learning(config_.learning);
  monitor_.restored(estimator_->initialised(), estimator_->stamp());
  return file;
}

void CameraNode::reset(const ovf_msgs::srv::Reset::Request& request) {
  require(estimator_);
  if (request.use_pose) {
    throw std::invalid_argument("use_pose is true, but a latent state has no pose; expected false");
  }
  const std::lock_guard lock(mutex_);
  estimator_->reset(request.keep_parameters);
  monitor_.restored(false, 0);
}

void CameraNode::set_learning(bool on) {
  require(estimator_);
  const auto result = set_parameter(rclcpp::Parameter("learning", on));
  if (!result.successful) throw std::runtime_error(result.reason);
}

void CameraNode::load_checkpoint() {
  const std::filesystem::path path = config_.checkpoint;
  if (path.empty() || !std::filesystem::exists(path)) return;
  try {
    load({});
    RCLCPP_INFO(get_logger(), "goes on from %s", path.c_str());
  } catch (const std::exception& error) {
    // Not within the macro, which takes no notice of what it does not log.
    const std::filesystem::path aside = set_aside(path);
    RCLCPP_WARN(get_logger(), "starts anew, the checkpoint is now %s: %s", aside.c_str(),
                error.what());
  }
}

void CameraNode::save_checkpoint() {
  if (config_.checkpoint.empty() || !estimator_ || !monitor_.view().initialised) return;
  std::string problem;
  try {
    save({});
  } catch (const std::exception& error) {
    problem = error.what();
    if (is_worth_logging("checkpoint", problem)) {
      RCLCPP_WARN(get_logger(), "checkpoint not saved: %s", error.what());
    }
  }
  monitor_.saved(problem);
}

bool CameraNode::is_live(const std::string& key) const { return is_live_for_camera(key); }

std::string CameraNode::refusal(const rclcpp::Parameter& change) const {
  // The filter's parameters have their defaults by it, and are declared by now.
  const std::string& key = change.get_name();
  if (key != "setting" || !has_parameter(key) || get_parameter(key) == change) return {};
  return "setting cannot change any more: start the node with another one";
}

void CameraNode::apply(const std::vector<rclcpp::Parameter>& changes) {
  const CameraParameters parameters =
      declare_camera_parameters(*get_node_parameters_interface(), checks_, changes);
  const ovf::CameraOutputConfig& output = parameters.camera.output;
  const bool other_status = output.status_period != camera_config_.output.status_period;
  config_ = parameters.node;
  camera_config_.output = output;
  {
    const std::lock_guard lock(mutex_);
    estimator_->set_learning(config_.learning);
    outputs_->set_output(output, config_.output_scale);
  }
  monitor_.set_learning(config_.learning);
  if (other_status && status_timer_) set_status_timer();
}

}  // namespace ovf_ros
