#include <filesystem>
#include <fstream>

#include "ros_test.hpp"

namespace ovf_ros::test {
namespace {

class Lifecycle : public RosTest {};

constexpr auto kUnconfigured = LifecycleState::PRIMARY_STATE_UNCONFIGURED;
constexpr auto kInactive = LifecycleState::PRIMARY_STATE_INACTIVE;
constexpr auto kActive = LifecycleState::PRIMARY_STATE_ACTIVE;
constexpr auto kFinalized = LifecycleState::PRIMARY_STATE_FINALIZED;

TEST_F(Lifecycle, WalksThroughAllStatesAndBackAgain) {
  auto node = make_node(planar_parameters());
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(node->current_estimator(), nullptr);
    EXPECT_EQ(node->configure().id(), kInactive);
    EXPECT_NE(node->current_estimator(), nullptr);
    for (int turn = 0; turn < 2; ++turn) {
      EXPECT_EQ(node->activate().id(), kActive);
      spin_for(std::chrono::milliseconds(20));
      EXPECT_EQ(node->deactivate().id(), kInactive);
    }
    EXPECT_EQ(node->cleanup().id(), kUnconfigured);
  }
  EXPECT_EQ(node->shutdown().id(), kFinalized);
}

TEST_F(Lifecycle, ShutsDownFromEachState) {
  auto node = make_node(planar_parameters());
  EXPECT_EQ(node->shutdown().id(), kFinalized);
  node = make_node(planar_parameters());
  node->configure();
  EXPECT_EQ(node->shutdown().id(), kFinalized);
  node = active_node(planar_parameters());
  EXPECT_EQ(node->shutdown().id(), kFinalized);
  EXPECT_EQ(node->current_estimator(), nullptr);
}

TEST_F(Lifecycle, IsDestroyedFromEachState) {
  auto unconfigured = make_node(planar_parameters());
  expect_destroyed(unconfigured);
  auto inactive = make_node(planar_parameters());
  inactive->configure();
  expect_destroyed(inactive);
  auto active = active_node(planar_parameters());
  spin_for(std::chrono::milliseconds(20));
  expect_destroyed(active);
  auto finalized = make_node(planar_parameters());
  finalized->shutdown();
  expect_destroyed(finalized);
}

TEST_F(Lifecycle, StaysUnconfiguredWhenConfiguringFails) {
  const std::vector<Parameters> mistakes = {
      {{"gps.gate", 1.5}},
      {{"gps.noise", std::vector<double>{}}},
      {{"no_such_key", 1}},
      {{"gps.no_such_key", 1}},
      {{"sensors", std::vector<std::string>{}}},
      {{"sensors", std::vector<std::string>{"motion"}}},
      {{"sensors", std::vector<std::string>{"not a name"}}},
      {{"motion.kind", "no_such_kind"}},
      {{"motion.kind", "rigid_body"}},
      {{"gps.kind", "range"}},
      {{"learning", "perhaps"}},
      {{"output.rollout_step", 5.0}},
      {{"checkpoint_period", -1.0}},
  };
  for (const Parameters& mistake : mistakes) {
    auto node = make_node(with(planar_parameters(), mistake));
    EXPECT_EQ(node->configure().id(), kUnconfigured) << mistake.front().get_name();
    EXPECT_EQ(node->current_estimator(), nullptr);
    destroy(node);
  }
}

TEST_F(Lifecycle, ConfiguresAfterAMistakeIsCorrected) {
  auto node = make_node(with(planar_parameters(), {{"output.rollout_step", 5.0}}));
  EXPECT_EQ(node->configure().id(), kUnconfigured);
  EXPECT_TRUE(node->set_parameter({"output.rollout_step", 0.1}).successful);
  EXPECT_EQ(node->configure().id(), kInactive);
}

TEST_F(Lifecycle, TakesAnotherSensorAfterCleanup) {
  auto node = make_node(planar_parameters());
  node->configure();
  node->cleanup();
  EXPECT_TRUE(
      node->set_parameter({"sensors", std::vector<std::string>{"gps", "compass"}}).successful);
  EXPECT_EQ(node->configure().id(), kUnconfigured);  // its noise is not known yet
  EXPECT_TRUE(node->set_parameter({"compass.kind", "yaw"}).successful);
  EXPECT_TRUE(node->set_parameter({"compass.noise", std::vector<double>{0.1}}).successful);
  EXPECT_EQ(node->configure().id(), kInactive);
  EXPECT_EQ(node->current_estimator()->config().sensors.size(), 2U);
}

TEST_F(Lifecycle, StartsByItselfWhenAskedTo) {
  auto node = make_node(with(planar_parameters(), {{"autostart", true}}));
  EXPECT_TRUE(spin_until([&] { return node->get_current_state().id() == kActive; }));
}

TEST_F(Lifecycle, DoesNotStartByItselfWithAMistake) {
  auto node = make_node(with(planar_parameters(), {{"autostart", true}, {"gps.gate", 2.0}}));
  spin_for(std::chrono::milliseconds(100));
  EXPECT_EQ(node->get_current_state().id(), kUnconfigured);
}

class Checkpoint : public RosTest {
 protected:
  Checkpoint() {
    folder_ = std::filesystem::temp_directory_path() / ("ovf_ros_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    file_ = folder_ / "robot.ovf";
    parameters_ = with(planar_parameters(), {{"checkpoint", file_.string()}});
  }
  ~Checkpoint() override { std::filesystem::remove_all(folder_); }

  std::shared_ptr<EstimatorNode> node_with_belief(const Parameters& parameters) {
    auto node = active_node(parameters);
    const auto fixes = publisher<sensor_msgs::msg::NavSatFix>("fix");
    EXPECT_TRUE(send(*node, fixes, fix(1000.0, 5.0)));
    EXPECT_TRUE(send(*node, fixes, fix(1001.0, 6.0)));
    return node;
  }

  std::filesystem::path folder_;
  std::filesystem::path file_;
  Parameters parameters_;
};

TEST_F(Checkpoint, IsSavedOnDeactivateAndGoesOnAfterwards) {
  auto node = node_with_belief(parameters_);
  node->deactivate();
  ASSERT_TRUE(std::filesystem::exists(file_));
  const Eigen::VectorXd mean = node->current_estimator()->belief().mean;
  destroy(node);
  node = make_node(parameters_);
  ASSERT_EQ(node->configure().id(), kInactive);
  ASSERT_TRUE(node->current_estimator()->initialised());
  EXPECT_EQ(node->current_estimator()->belief().mean, mean);
}

TEST_F(Checkpoint, IsSavedWhenAnActiveNodeIsDestroyed) {
  auto node = node_with_belief(parameters_);
  destroy(node);
  EXPECT_TRUE(std::filesystem::exists(file_));
}

TEST_F(Checkpoint, IsSavedPeriodically) {
  auto node = node_with_belief(with(parameters_, {{"checkpoint_period", 0.1}}));
  EXPECT_TRUE(spin_until([&] { return std::filesystem::exists(file_); }));
}

TEST_F(Checkpoint, ThatDoesNotFitIsPutAsideHoweverLittleIsLogged) {
  std::ofstream(file_) << "nothing of the kind";
  auto node = make_node(parameters_);
  node->get_logger().set_level(rclcpp::Logger::Level::Fatal);
  EXPECT_EQ(node->configure().id(), kInactive);
  node->get_logger().set_level(rclcpp::Logger::Level::Unset);
  EXPECT_FALSE(node->current_estimator()->initialised());
  EXPECT_TRUE(std::filesystem::exists(file_.string() + ".unfit"));
}

TEST_F(Checkpoint, KeepsOnlyWhatWasLearnedIfTheOriginIsAnotherOne) {
  const Parameters no_origin = with(parameters_, {{"gnss_origin", std::vector<double>{}}});
  auto node = node_with_belief(no_origin);
  node->deactivate();
  destroy(node);
  node = active_node(no_origin);
  EXPECT_TRUE(node->current_estimator()->initialised());
  const auto fixes = publisher<sensor_msgs::msg::NavSatFix>("fix");
  EXPECT_TRUE(send(*node, fixes, fix(1002.0, 500.0)));
  // The first fix is the origin, and the belief begins there.
  EXPECT_LT(node->current_estimator()->belief().mean.head(2).norm(), 1e-6);
}

TEST_F(Checkpoint, ThatCannotBeWrittenIsDiagnosed) {
  const Parameters parameters = with(
      parameters_, {{"checkpoint", (folder_ / "none" / "x").string()}, {"checkpoint_period", 0.1}});
  listen_to_diagnostics();
  auto node = node_with_belief(parameters);
  EXPECT_TRUE(diagnosed("estimator", diagnostic_msgs::msg::DiagnosticStatus::WARN, "checkpoint"));
}

}  // namespace
}  // namespace ovf_ros::test
