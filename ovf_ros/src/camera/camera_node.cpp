#include "ovf_ros/camera/camera_node.hpp"

#include <chrono>
#include <utility>

#include "ovf_ros/timers.hpp"

// The lifecycle of the node. What it does while active is in camera_node_input.cpp, what it is
// asked to do in camera_node_actions.cpp.
namespace ovf_ros {
namespace {

constexpr std::chrono::seconds kWatchPeriod{1};

}  // namespace

CameraNode::CameraNode(const rclcpp::NodeOptions& options, LoadModel load_model)
    : ManagedNode("ovf_camera", options),
      load_model_(std::move(load_model)),
      monitor_([clock = get_clock()] { return clock->now().nanoseconds(); }) {
  services_ = std::make_unique<CameraServices>(*this, static_cast<CameraActions&>(*this));
  begin(config_);
}

CameraNode::~CameraNode() { end(); }

void CameraNode::configure_all() {
  const CameraParameters parameters =
      declare_camera_parameters(*get_node_parameters_interface(), checks_);
  check_transport(parameters.node.image_transport);
  config_ = parameters.node;
  camera_config_ = parameters.camera;
  estimator_ = std::make_unique<ovf::CameraEstimator>(camera_config_, load_model_(camera_config_));
  estimator_->set_learning(config_.learning);
  outputs_ = std::make_unique<CameraOutputs>(*this, camera_config_.output, config_.output_scale);
  monitor_.configure(config_.learning);
  diagnostics_ = std::make_unique<CameraDiagnostics>(*this, camera_config_, monitor_);
  load_checkpoint();
  const ovf::ImageSize size = estimator_->model().scale.size();
  RCLCPP_INFO(get_logger(), "configured: model %s, pictures of %d x %d, %d latent numbers",
              estimator_->model().name.c_str(), size.width, size.height,
              estimator_->filter().model().state_dim());
}

void CameraNode::start() {
  monitor_.start();
  mailbox_ = std::make_unique<FrameMailbox>();
  new_controls_.clear();
  receiver_ = std::make_unique<SpinThread>(
      get_node_base_interface()->get_context(), [this](const std::string& problem) {
        monitor_.bad_picture(problem);
        refuse(ovf::to_string(ovf::FrameOutcome::kBadImage), problem);
      });
  ImageInput::Source source{.topic = camera_config_.image_topic,
                            .transport = config_.image_transport};
  if (!config_.reliable_inputs) source.qos.best_effort();
  images_ = std::make_unique<ImageInput>(*this, source,
                                         [this](Picture picture) { receive(std::move(picture)); });
  receiver_->executor().add_node(images_->node());
  if (camera_config_.has_controls()) listen_to_controls();
  diagnostics_->set_inputs({images_.get(), controls_.get()});
  worker_ = std::thread([this] { work(); });
  receiver_->start();
  // By wall time: it is there to tell of a clock that does not run, too.
  watch_timer_ = create_wall_timer(kWatchPeriod, [this] { watch(); });
  set_status_timer();
  if (!config_.checkpoint.empty()) {
    checkpoint_timer_ = make_timer(*this, config_.checkpoint_period, [this] { save_checkpoint(); });
  }
}

void CameraNode::listen_to_controls() {
  control_group_ = create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive, false);
  receiver_->executor().add_callback_group(control_group_, get_node_base_interface());
  rclcpp::SubscriptionOptions options;
  options.callback_group = control_group_;
  rclcpp::QoS qos(rclcpp::KeepLast(100));
  if (!config_.reliable_inputs) qos.best_effort();
  const InputTopic topic{
      .name = camera_config_.control_topic,
      .takers = {-1},
      .usual_types = {"geometry_msgs/msg/TwistStamped", "nav_msgs/msg/Odometry",
                      "geometry_msgs/msg/Twist", "geometry_msgs/msg/TwistWithCovarianceStamped"},
      .key = "control_topic"};
  controls_ = std::make_unique<InputSubscriptions>(
      *this, std::vector<InputTopic>{topic}, qos,
      [this](const InputTopic&, const std::string& type, std::span<const std::byte> bytes) {
        receive_control(type, bytes);
      },
      options);
}

void CameraNode::set_status_timer() {
  status_timer_ = make_timer(*this, camera_config_.output.status_period,
                             [this] { outputs_->publish_status(monitor_.view(), now_ns()); });
}

void CameraNode::stop() {
  watch_timer_.reset();
  status_timer_.reset();
  checkpoint_timer_.reset();
  if (diagnostics_) diagnostics_->set_inputs({});
  // First what brings pictures, then what works on them.
  if (receiver_) receiver_->stop();
  if (mailbox_) mailbox_->close();
  if (worker_.joinable()) worker_.join();
  receiver_.reset();
  controls_.reset();
  images_.reset();
  control_group_.reset();
  mailbox_.reset();
}

void CameraNode::drop() {
  diagnostics_.reset();
  outputs_.reset();
  estimator_.reset();
}

}  // namespace ovf_ros
