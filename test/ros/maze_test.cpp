#include "geometry_msgs/msg/twist_stamped.hpp"
#include "ovf_ros/maze_node.hpp"
#include "ros_test.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "tf2_msgs/msg/tf_message.hpp"

namespace ovf_ros::test {
namespace {

class MazeTest : public RosTest {
 protected:
  template <typename M>
  std::shared_ptr<std::vector<M>> listen_to(const std::string& topic) {
    return listen<M>(namespace_ + "/" + topic);
  }
};

TEST_F(MazeTest, WalksThroughItsLifecycle) {
  auto node = make_node<MazeNode>({});
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(node->configure().id(), LifecycleState::PRIMARY_STATE_INACTIVE);
    EXPECT_EQ(node->activate().id(), LifecycleState::PRIMARY_STATE_ACTIVE);
    spin_for(std::chrono::milliseconds(50));
    EXPECT_EQ(node->deactivate().id(), LifecycleState::PRIMARY_STATE_INACTIVE);
    EXPECT_EQ(node->cleanup().id(), LifecycleState::PRIMARY_STATE_UNCONFIGURED);
  }
  node->configure();
  node->activate();
  EXPECT_EQ(node->shutdown().id(), LifecycleState::PRIMARY_STATE_FINALIZED);
}

TEST_F(MazeTest, RefusesBadParameters) {
  for (const Parameters& bad : std::vector<Parameters>{{{"rate", 0.0}},
                                                       {{"no_such_key", 1}},
                                                       {{"size", 0}},
                                                       {{"cells", 4}},
                                                       {{"cells", 12}},
                                                       {{"maze_seed", -1}}}) {
    auto node = make_node<MazeNode>(bad);
    EXPECT_EQ(node->configure().id(), LifecycleState::PRIMARY_STATE_UNCONFIGURED)
        << bad.front().get_name();
    destroy(node);
  }
}

TEST_F(MazeTest, KeepsItsParametersWhileConfigured) {
  auto node = make_node<MazeNode>({});
  node->configure();
  EXPECT_FALSE(node->set_parameter({"rate", 20.0}).successful);
  node->cleanup();
  EXPECT_TRUE(node->set_parameter({"rate", 20.0}).successful);
  EXPECT_FALSE(node->set_parameter({"rate", -20.0}).successful);
}

TEST_F(MazeTest, ShowsWhatTheRunHas) {
  ovf::MazeRunConfig config;
  config.maze.seed = 3;
  config.maze.width = config.maze.height = 9;
  config.agent.seed = 4;
  config.agent.rate = 50.0;
  config.camera.size = {16, 16};
  ovf::MazeRun run(config);
  auto node = make_node<MazeNode>(
      {{"maze_seed", 3}, {"agent_seed", 4}, {"size", 16}, {"cells", 9}, {"rate", 50.0}});
  ASSERT_EQ(node->configure().id(), LifecycleState::PRIMARY_STATE_INACTIVE);
  const auto images = listen_to<sensor_msgs::msg::Image>("camera/image");
  const auto controls = listen_to<geometry_msgs::msg::TwistStamped>("control");
  const auto truths = listen_to<nav_msgs::msg::Odometry>("ground_truth");
  const auto transforms = listen<tf2_msgs::msg::TFMessage>("/tf");
  ASSERT_EQ(node->activate().id(), LifecycleState::PRIMARY_STATE_ACTIVE);
  constexpr std::size_t kCount = 25;
  ASSERT_TRUE(spin_until([&] {
    return images->size() >= kCount && controls->size() >= kCount && truths->size() >= kCount;
  }));
  const rclcpp::Time start = images->front().header.stamp;
  for (std::size_t i = 0; i < kCount; ++i) {
    const ovf::CameraFrame frame = run.next();
    const auto& image = (*images)[i];
    EXPECT_EQ(image.data, frame.image.rgb);
    EXPECT_EQ(image.encoding, "rgb8");
    EXPECT_EQ(image.header.frame_id, "camera");
    EXPECT_EQ((rclcpp::Time(image.header.stamp) - start).nanoseconds(), frame.stamp);
    EXPECT_EQ((*controls)[i].header.stamp, image.header.stamp);
    EXPECT_EQ((*controls)[i].twist.linear.x, frame.control[0]);
    EXPECT_EQ((*controls)[i].twist.angular.z, frame.control[1]);
    EXPECT_EQ((*truths)[i].header.stamp, image.header.stamp);
    EXPECT_EQ((*truths)[i].header.frame_id, "map");
    EXPECT_EQ((*truths)[i].pose.pose.position.x, frame.pose.x);
    EXPECT_EQ((*truths)[i].pose.pose.position.y, frame.pose.y);
  }
  EXPECT_FALSE(transforms->empty());
}

TEST_F(MazeTest, StartsByItselfWhenAskedTo) {
  auto node = make_node<MazeNode>({{"autostart", true}});
  EXPECT_TRUE(spin_until(
      [&] { return node->get_current_state().id() == LifecycleState::PRIMARY_STATE_ACTIVE; }));
}

}  // namespace
}  // namespace ovf_ros::test
