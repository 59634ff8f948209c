#include <filesystem>
#include <fstream>

#include "camera_test.hpp"
#include "ovf/recording/camera_messages.hpp"
#include "ovf/vision/maze_run.hpp"
#include "ovf/vision/stored_image_model.hpp"
#include "ovf/vision/train_vae.hpp"

namespace ovf_ros::test {
namespace {

constexpr int kMazeSide = 16;

ovf::MazeRun maze() {
  ovf::MazeRunConfig config;
  config.camera.size = {kMazeSide, kMazeSide};
  return ovf::MazeRun(config);
}

/// With a model in a folder, as users have it.
class CameraModel : public CameraTest {
 protected:
  static void SetUpTestSuite() {
    CameraTest::SetUpTestSuite();
    folder = std::filesystem::temp_directory_path() / ("ovf_model_" + std::to_string(getpid()));
    ovf::MazeRun run = maze();
    std::vector<ovf::Image> images;
    for (int i = 0; i < 100; ++i) images.push_back(run.next().image);
    ovf::VaeConfig config;
    config.size = {kMazeSide, kMazeSide};
    config.latent_dim = 4;
    config.epochs = 2;
    config.threads = 1;
    write_image_model(folder, ovf::train_vae(images, config).model);
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(folder); }

  std::shared_ptr<CameraNode> camera(const std::string& model) {
    return make_node<CameraNode>(with(camera_parameters(), {{"model", model}}));
  }

  inline static std::filesystem::path folder;
};

TEST_F(CameraModel, IsLoadedAndUsed) {
  auto node = camera(folder.string());
  ASSERT_EQ(node->configure().id(), LifecycleState::PRIMARY_STATE_INACTIVE);
  ASSERT_EQ(node->activate().id(), LifecycleState::PRIMARY_STATE_ACTIVE);
  const auto pictures = publisher<sensor_msgs::msg::Image>("camera/image");
  ovf::MazeRun run = maze();
  for (int i = 0; i < 20; ++i) {
    const ovf::CameraFrame frame = run.next();
    sensor_msgs::msg::Image message;
    ovf::fill_image(frame.image, message);
    ovf::set_time(1'000'000'000'000 + frame.stamp, message.header.stamp);
    ASSERT_TRUE(show(*node, pictures, message));
  }
  EXPECT_EQ(node->view().count(ovf::FrameOutcome::kUsed), 20);
  EXPECT_TRUE(std::isfinite(node->view().novelty));
}

TEST_F(CameraModel, ThatIsMissingOrDamagedIsRefusedAndAnotherOneTaken) {
  const std::filesystem::path damaged = folder.string() + "_damaged";
  std::filesystem::copy(folder, damaged);
  std::filesystem::resize_file(damaged / "decoder.f32", 100);
  for (const std::string& path : {folder.string() + "_none", damaged.string()}) {
    auto node = camera(path);
    EXPECT_EQ(node->configure().id(), LifecycleState::PRIMARY_STATE_UNCONFIGURED) << path;
    EXPECT_TRUE(node->set_parameter({"model", folder.string()}).successful);
    EXPECT_EQ(node->configure().id(), LifecycleState::PRIMARY_STATE_INACTIVE);
    destroy(node);
  }
  std::filesystem::remove_all(damaged);
}

}  // namespace
}  // namespace ovf_ros::test
