#include <filesystem>
#include <limits>

#include "ovf_msgs/srv/get_rollout.hpp"
#include "ovf_msgs/srv/load_model.hpp"
#include "ovf_msgs/srv/reset.hpp"
#include "ovf_msgs/srv/save_model.hpp"
#include "ovf_msgs/srv/set_learning.hpp"
#include "ros_test.hpp"

namespace ovf_ros::test {
namespace {

using ovf_msgs::srv::GetRollout;
using ovf_msgs::srv::LoadModel;
using ovf_msgs::srv::Reset;
using ovf_msgs::srv::SaveModel;
using ovf_msgs::srv::SetLearning;

class Services : public RosTest {
 protected:
  std::shared_ptr<EstimatorNode> node_with_belief(const Parameters& more = {}) {
    auto node = active_node(with(planar_parameters(), more));
    const auto odometries = publisher<nav_msgs::msg::Odometry>("odom");
    const auto fixes = publisher<sensor_msgs::msg::NavSatFix>("fix");
    EXPECT_TRUE(send(*node, fixes, fix(1000.0)));
    EXPECT_TRUE(send(*node, odometries, odometry(1000.5, 1.0)));
    EXPECT_TRUE(send(*node, fixes, fix(1001.0)));
    return node;
  }

  static GetRollout::Request rollout(double horizon, double step) {
    GetRollout::Request request;
    request.horizon = horizon;
    request.step = step;
    return request;
  }
};

TEST_F(Services, AnswerWithWhatIsWrongWhileUnconfigured) {
  auto node = make_node(planar_parameters());
  const std::string expected = "not configured";
  const auto told = [&](const auto& response) {
    return !response.success && response.message.find(expected) != std::string::npos;
  };
  SaveModel::Request save;
  save.path = "/tmp/x";
  LoadModel::Request load;
  load.path = "/tmp/x";
  EXPECT_TRUE(told(call<GetRollout>("get_rollout", rollout(1.0, 0.1))));
  EXPECT_TRUE(told(call<SaveModel>("save_model", save)));
  EXPECT_TRUE(told(call<LoadModel>("load_model", load)));
  EXPECT_TRUE(told(call<Reset>("reset", Reset::Request())));
  EXPECT_TRUE(told(call<SetLearning>("set_learning", SetLearning::Request())));
}

TEST_F(Services, RollOutWhatWasAskedFor) {
  auto node = node_with_belief();
  auto request = rollout(1.0, 0.1);
  request.path_count = 3;
  const auto response = call<GetRollout>("get_rollout", request);
  ASSERT_TRUE(response.success) << response.message;
  EXPECT_EQ(response.rollout.poses.size(), response.rollout.times.size());
  EXPECT_NEAR(response.rollout.times.back(), 1.0, 1e-9);
  EXPECT_EQ(response.rollout.path_count, 3U);
  EXPECT_EQ(response.rollout.header.frame_id, "map");
}

TEST_F(Services, RefuseRolloutsThatMakeNoSense) {
  auto node = node_with_belief();
  for (const auto& [horizon, step] :
       {std::pair{-1.0, 0.1}, std::pair{1.0, 0.0}, std::pair{1.0, 2.0}, std::pair{1e9, 1e-3},
        std::pair{std::numeric_limits<double>::quiet_NaN(), 0.1}}) {
    const auto response = call<GetRollout>("get_rollout", rollout(horizon, step));
    EXPECT_FALSE(response.success);
    EXPECT_FALSE(response.message.empty());
  }
  auto request = rollout(1.0, 0.1);
  request.plan = "sideways";
  EXPECT_FALSE(call<GetRollout>("get_rollout", request).success);
  request.plan = "given";
  EXPECT_FALSE(call<GetRollout>("get_rollout", request).success);
  request.controls = {1.0, 2.0, 3.0};
  EXPECT_FALSE(call<GetRollout>("get_rollout", request).success);
  request.controls = {1.0, 0.1};
  EXPECT_TRUE(call<GetRollout>("get_rollout", request).success);
}

TEST_F(Services, RefuseRolloutsBeforeThereIsABelief) {
  auto node = active_node(planar_parameters());
  EXPECT_FALSE(call<GetRollout>("get_rollout", rollout(1.0, 0.1)).success);
}

TEST_F(Services, SaveAndLoadTheModel) {
  const auto path =
      std::filesystem::temp_directory_path() / ("ovf_services_" + std::to_string(getpid()));
  auto node = node_with_belief();
  SaveModel::Request save;
  EXPECT_FALSE(call<SaveModel>("save_model", save).success);  // no path, no checkpoint
  save.path = "/no/such/folder/x";
  EXPECT_FALSE(call<SaveModel>("save_model", save).success);
  save.path = path.string();
  const auto saved = call<SaveModel>("save_model", save);
  ASSERT_TRUE(saved.success) << saved.message;
  const Eigen::VectorXd mean = node->current_estimator()->belief().mean;

  Reset::Request reset;
  ASSERT_TRUE(call<Reset>("reset", reset).success);
  ASSERT_FALSE(node->current_estimator()->initialised());
  LoadModel::Request load;
  load.path = path.string() + "_none";
  EXPECT_FALSE(call<LoadModel>("load_model", load).success);
  load.path = path.string();
  const auto loaded = call<LoadModel>("load_model", load);
  ASSERT_TRUE(loaded.success) << loaded.message;
  EXPECT_TRUE(node->current_estimator()->initialised());
  EXPECT_EQ(node->current_estimator()->belief().mean, mean);
  std::filesystem::remove(path);
}

TEST_F(Services, ResetToAPose) {
  auto node = node_with_belief();
  Reset::Request request;
  request.keep_parameters = true;
  request.use_pose = true;
  request.pose.header.frame_id = "map";
  request.pose.header.stamp = time_of(1002.0);
  request.pose.pose.pose.position.x = 5.0;
  request.pose.pose.pose.orientation.w = 1.0;
  ASSERT_TRUE(call<Reset>("reset", request).success);
  EXPECT_NEAR(node->current_estimator()->belief().mean[0], 5.0, 1e-9);
  EXPECT_EQ(node->current_estimator()->stamp(), 1002 * ovf::Stamp{1'000'000'000});
}

TEST_F(Services, KeepTheBeliefWhenAResetIsRefused) {
  auto node = node_with_belief();
  const Eigen::VectorXd mean = node->current_estimator()->belief().mean;
  Reset::Request request;
  request.use_pose = true;
  request.pose.header.frame_id = "another";
  request.pose.pose.pose.orientation.w = 1.0;
  const auto response = call<Reset>("reset", request);
  EXPECT_FALSE(response.success);
  EXPECT_NE(response.message.find("another"), std::string::npos);
  EXPECT_TRUE(node->current_estimator()->initialised());
  EXPECT_EQ(node->current_estimator()->belief().mean, mean);
}

TEST_F(Services, SwitchLearningAndItsParameter) {
  auto node = node_with_belief();
  SetLearning::Request request;
  ASSERT_TRUE(call<SetLearning>("set_learning", request).success);
  EXPECT_FALSE(node->current_estimator()->learning());
  EXPECT_FALSE(node->get_parameter("learning").as_bool());
  request.on = true;
  ASSERT_TRUE(call<SetLearning>("set_learning", request).success);
  EXPECT_TRUE(node->current_estimator()->learning());
}

TEST_F(Services, WorkWhileInactive) {
  auto node = node_with_belief();
  node->deactivate();
  EXPECT_TRUE(call<GetRollout>("get_rollout", rollout(1.0, 0.1)).success);
  EXPECT_TRUE(call<Reset>("reset", Reset::Request()).success);
  EXPECT_FALSE(node->current_estimator()->initialised());
}

}  // namespace
}  // namespace ovf_ros::test
