#include <filesystem>
#include <fstream>

#include "camera_test.hpp"
#include "ovf_msgs/srv/load_model.hpp"
#include "ovf_msgs/srv/reset.hpp"
#include "ovf_msgs/srv/save_model.hpp"
#include "ovf_msgs/srv/set_learning.hpp"

namespace ovf_ros::test {
namespace {

using ovf_msgs::srv::LoadModel;
using ovf_msgs::srv::Reset;
using ovf_msgs::srv::SaveModel;
using ovf_msgs::srv::SetLearning;

constexpr auto kUnconfigured = LifecycleState::PRIMARY_STATE_UNCONFIGURED;
constexpr auto kInactive = LifecycleState::PRIMARY_STATE_INACTIVE;
constexpr auto kActive = LifecycleState::PRIMARY_STATE_ACTIVE;
constexpr auto kFinalized = LifecycleState::PRIMARY_STATE_FINALIZED;
constexpr auto kWarn = diagnostic_msgs::msg::DiagnosticStatus::WARN;

class CameraLifecycle : public CameraTest {};

TEST_F(CameraLifecycle, WalksThroughAllStatesAndBackAgain) {
  auto node =
      make_node<LinearCameraNode>(with(camera_parameters(), {{"control_topic", "control"}}));
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(node->current_estimator(), nullptr);
    EXPECT_EQ(node->configure().id(), kInactive);
    EXPECT_NE(node->current_estimator(), nullptr);
    for (int turn = 0; turn < 2; ++turn) {
      EXPECT_EQ(node->activate().id(), kActive);
      spin_for(std::chrono::milliseconds(20));
      EXPECT_EQ(node->deactivate().id(), kInactive);
    }
    // At once, too, before the threads have begun.
    EXPECT_EQ(node->activate().id(), kActive);
    EXPECT_EQ(node->deactivate().id(), kInactive);
    EXPECT_EQ(node->cleanup().id(), kUnconfigured);
  }
  EXPECT_EQ(node->shutdown().id(), kFinalized);
}

TEST_F(CameraLifecycle, ShutsDownFromEachState) {
  auto node = make_node<LinearCameraNode>(camera_parameters());
  EXPECT_EQ(node->shutdown().id(), kFinalized);
  node = make_node<LinearCameraNode>(camera_parameters());
  node->configure();
  EXPECT_EQ(node->shutdown().id(), kFinalized);
  node = active_camera();
  EXPECT_EQ(node->shutdown().id(), kFinalized);
  EXPECT_EQ(node->current_estimator(), nullptr);
}

TEST_F(CameraLifecycle, IsDestroyedFromEachState) {
  auto unconfigured = make_node<LinearCameraNode>(camera_parameters());
  expect_destroyed(unconfigured);
  auto inactive = make_node<LinearCameraNode>(camera_parameters());
  inactive->configure();
  expect_destroyed(inactive);
  auto active = active_camera();
  spin_for(std::chrono::milliseconds(20));
  expect_destroyed(active);
  auto finalized = make_node<LinearCameraNode>(camera_parameters());
  finalized->shutdown();
  expect_destroyed(finalized);
}

TEST_F(CameraLifecycle, IsDestroyedInTheMiddleOfItsWork) {
  work_milliseconds = 50;
  for (int round = 0; round < 3; ++round) {
    auto node = active_camera();
    const auto pictures = publisher<sensor_msgs::msg::Image>("camera/image");
    for (int i = 0; i < 10; ++i) pictures->publish(picture(1000.0 + 0.1 * i));
    EXPECT_TRUE(spin_until([&] { return node->view().pictures.counts.received > 0; }));
    destroy(node);
  }
}

TEST_F(CameraLifecycle, StopsWhenTheContextIsShutDownBeforeIt) {
  // As after Ctrl-C.
  auto context = std::make_shared<rclcpp::Context>();
  context->init(0, nullptr);
  rclcpp::NodeOptions options;
  options.context(context).parameter_overrides(camera_parameters());
  {
    auto node = std::make_shared<LinearCameraNode>(options);
    ASSERT_EQ(node->configure().id(), kInactive);
    ASSERT_EQ(node->activate().id(), kActive);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    context->shutdown("test");
  }
}

TEST_F(CameraLifecycle, StaysUnconfiguredWhenConfiguringFails) {
  const std::vector<Parameters> mistakes = {
      {{"model", ""}},
      {{"model", "/no/such/folder"}},
      {{"image_topic", ""}},
      {{"image_transport", "pigeon"}},
      {{"no_such_key", 1}},
      {{"filter.no_such_key", 1}},
      {{"setting", "no_such_setting"}},
      {{"rate", 0.0}},
      {{"rate", "fast"}},
      {{"output_scale", 0}},
      {{"pixel_variance", -1.0}},
      {{"checkpoint_period", -1.0}},
      {{"learning", "perhaps"}},
  };
  for (const Parameters& mistake : mistakes) {
    auto node = make_node<LinearCameraNode>(with(camera_parameters(), mistake));
    EXPECT_EQ(node->configure().id(), kUnconfigured) << mistake.front().get_name();
    EXPECT_EQ(node->current_estimator(), nullptr);
    destroy(node);
  }
}

TEST_F(CameraLifecycle, ConfiguresAfterAMistakeIsCorrected) {
  auto node = make_node<LinearCameraNode>(with(camera_parameters(), {{"model", "another"}}));
  EXPECT_EQ(node->configure().id(), kUnconfigured);
  EXPECT_TRUE(node->set_parameter({"model", "linear"}).successful);
  EXPECT_EQ(node->configure().id(), kInactive);
}

TEST_F(CameraLifecycle, StartsByItselfWhenAskedTo) {
  auto node = make_node<LinearCameraNode>(with(camera_parameters(), {{"autostart", true}}));
  EXPECT_TRUE(spin_until([&] { return node->get_current_state().id() == kActive; }));
}

class CameraParameterChanges : public CameraTest {};

TEST_F(CameraParameterChanges, TakeEffectWhileActiveIfTheyAreOutputsOrLearning) {
  auto node = active_camera({{"output.status_period", 1000.0}});
  const auto statuses = listen<ovf_msgs::msg::CameraStatus>("status");
  EXPECT_TRUE(node->set_parameter({"learning", false}).successful);
  EXPECT_FALSE(node->view().learning);
  EXPECT_TRUE(node->set_parameter({"output_scale", 2}).successful);
  EXPECT_TRUE(node->set_parameter({"output.predicted_frames", 3}).successful);
  EXPECT_TRUE(node->set_parameter({"output.status_period", 0.05}).successful);
  EXPECT_TRUE(spin_until([&] { return statuses->size() > 2; }));
  EXPECT_FALSE(statuses->back().learning);
}

TEST_F(CameraParameterChanges, AreRefusedIfTheyAreStructureOrWrong) {
  auto node = active_camera();
  for (const rclcpp::Parameter& change : Parameters{{"rate", 5.0},
                                                    {"model", "linear"},
                                                    {"image_topic", "other"},
                                                    {"image_transport", "compressed"},
                                                    {"output.frame", "other"},
                                                    {"setting", "paper"},
                                                    {"output_scale", 0},
                                                    {"output.predicted_frames", -1},
                                                    {"learning", "perhaps"}}) {
    const auto result = node->set_parameter(change);
    EXPECT_FALSE(result.successful) << change.get_name();
    EXPECT_FALSE(result.reason.empty());
  }
  node->deactivate();
  node->cleanup();
  EXPECT_TRUE(node->set_parameter({"rate", 5.0}).successful);
  // The filter's parameters have the defaults of the first one by now.
  EXPECT_FALSE(node->set_parameter({"setting", "paper"}).successful);
  EXPECT_EQ(node->configure().id(), kInactive);
  EXPECT_EQ(node->current_estimator()->config().rate, 5.0);
}

TEST_F(CameraParameterChanges, StartFromTheSetting) {
  auto fast = make_node<LinearCameraNode>(camera_parameters());
  auto paper = make_node<LinearCameraNode>(
      with(camera_parameters(), {{"setting", "paper"}, {"filter.learning.burn_in", 7}}));
  ASSERT_EQ(fast->configure().id(), kInactive);
  ASSERT_EQ(paper->configure().id(), kInactive);
  const auto& config = paper->current_estimator()->config().filter;
  EXPECT_EQ(config.kernel, ovf::camera_filter(ovf::CameraSetting::kPaper).kernel);
  EXPECT_NE(config.kernel, fast->current_estimator()->config().filter.kernel);
  EXPECT_EQ(config.learning.burn_in, 7);
}

class CameraServicesTest : public CameraTest {
 protected:
  CameraServicesTest()
      : file_(std::filesystem::temp_directory_path() / ("ovf_camera_" + std::to_string(getpid()))) {
  }
  ~CameraServicesTest() override {
    std::filesystem::remove(file_);
    std::filesystem::remove(file_.string() + ".unfit");
  }

  std::shared_ptr<LinearCameraNode> camera_with_belief(const Parameters& more = {}) {
    auto node = active_camera(more);
    const auto pictures = publisher<sensor_msgs::msg::Image>("camera/image");
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(show(*node, pictures, picture(1000.0 + 0.1 * i, 100 + 20 * i)));
    }
    EXPECT_TRUE(node->view().initialised);
    return node;
  }

  std::filesystem::path file_;
};

TEST_F(CameraServicesTest, AnswerWithWhatIsWrongWhileUnconfigured) {
  auto node = make_node<LinearCameraNode>(camera_parameters());
  const auto told = [](const auto& response) {
    return !response.success && response.message.find("not configured") != std::string::npos;
  };
  SaveModel::Request save;
  save.path = file_.string();
  LoadModel::Request load;
  load.path = file_.string();
  EXPECT_TRUE(told(call<SaveModel>("save_model", save)));
  EXPECT_TRUE(told(call<LoadModel>("load_model", load)));
  EXPECT_TRUE(told(call<Reset>("reset", Reset::Request())));
  EXPECT_TRUE(told(call<SetLearning>("set_learning", SetLearning::Request())));
}

TEST_F(CameraServicesTest, SaveAndLoadTheModel) {
  auto node = camera_with_belief();
  SaveModel::Request save;
  EXPECT_FALSE(call<SaveModel>("save_model", save).success);  // no path, no checkpoint
  save.path = "/no/such/folder/x";
  EXPECT_FALSE(call<SaveModel>("save_model", save).success);
  save.path = file_.string();
  const auto saved = call<SaveModel>("save_model", save);
  ASSERT_TRUE(saved.success) << saved.message;
  const Eigen::VectorXd mean = node->current_estimator()->belief().mean;

  ASSERT_TRUE(call<Reset>("reset", Reset::Request()).success);
  EXPECT_FALSE(node->view().initialised);
  LoadModel::Request load;
  load.path = file_.string() + "_none";
  EXPECT_FALSE(call<LoadModel>("load_model", load).success);
  load.path = file_.string();
  const auto loaded = call<LoadModel>("load_model", load);
  ASSERT_TRUE(loaded.success) << loaded.message;
  EXPECT_TRUE(node->view().initialised);
  EXPECT_EQ(node->current_estimator()->belief().mean, mean);
}

TEST_F(CameraServicesTest, RefuseToResetToAPose) {
  auto node = camera_with_belief();
  Reset::Request request;
  request.use_pose = true;
  EXPECT_FALSE(call<Reset>("reset", request).success);
  EXPECT_TRUE(node->view().initialised);
}

TEST_F(CameraServicesTest, SwitchLearningAndItsParameter) {
  auto node = camera_with_belief();
  SetLearning::Request request;
  ASSERT_TRUE(call<SetLearning>("set_learning", request).success);
  EXPECT_FALSE(node->current_estimator()->learning());
  EXPECT_FALSE(node->get_parameter("learning").as_bool());
  request.on = true;
  ASSERT_TRUE(call<SetLearning>("set_learning", request).success);
  EXPECT_TRUE(node->current_estimator()->learning());
}

TEST_F(CameraServicesTest, AnswerWhileTheEstimatorIsBusyAllTheTime) {
  work_milliseconds = 30;
  auto node = active_camera({{"rate", 1000.0}});
  const auto pictures = publisher<sensor_msgs::msg::Image>("camera/image");
  std::atomic<bool> is_over = false;
  std::thread driver([&] {
    for (int i = 0; !is_over; ++i) {
      pictures->publish(picture(1000.0 + 0.01 * i));
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  EXPECT_TRUE(spin_until([&] { return node->view().dropped > 10; }));
  for (int i = 0; i < 5; ++i) {
    SetLearning::Request request;
    request.on = i % 2 == 0;
    EXPECT_TRUE(call<SetLearning>("set_learning", request).success);
  }
  is_over = true;
  driver.join();
}

TEST_F(CameraServicesTest, KeepTheCheckpointAcrossRestarts) {
  const Parameters parameters = {{"checkpoint", file_.string()}};
  auto node = camera_with_belief(parameters);
  node->deactivate();
  ASSERT_TRUE(std::filesystem::exists(file_));
  const Eigen::VectorXd mean = node->current_estimator()->belief().mean;
  destroy(node);
  node = make_node<LinearCameraNode>(with(camera_parameters(), parameters));
  ASSERT_EQ(node->configure().id(), kInactive);
  EXPECT_TRUE(node->view().initialised);
  EXPECT_EQ(node->current_estimator()->belief().mean, mean);
}

TEST_F(CameraServicesTest, SaveTheCheckpointOfANodeThatIsDestroyedOrPeriodically) {
  auto node = camera_with_belief({{"checkpoint", file_.string()}});
  destroy(node);
  ASSERT_TRUE(std::filesystem::exists(file_));
  std::filesystem::remove(file_);
  node = camera_with_belief({{"checkpoint", file_.string()}, {"checkpoint_period", 0.1}});
  EXPECT_TRUE(spin_until([&] { return std::filesystem::exists(file_); }));
}

TEST_F(CameraServicesTest, PutACheckpointAsideThatDoesNotFitHoweverLittleIsLogged) {
  std::ofstream(file_) << "nothing of the kind";
  auto node =
      make_node<LinearCameraNode>(with(camera_parameters(), {{"checkpoint", file_.string()}}));
  node->get_logger().set_level(rclcpp::Logger::Level::Fatal);
  EXPECT_EQ(node->configure().id(), kInactive);
  node->get_logger().set_level(rclcpp::Logger::Level::Unset);
  EXPECT_TRUE(std::filesystem::exists(file_.string() + ".unfit"));
}

TEST_F(CameraServicesTest, TellOfACheckpointThatCannotBeSaved) {
  listen_to_diagnostics();
  auto node = camera_with_belief({{"checkpoint", "/no/such/folder/x"}, {"checkpoint_period", 0.1}});
  EXPECT_TRUE(diagnosed("camera", kWarn, "checkpoint"));
}

}  // namespace
}  // namespace ovf_ros::test
