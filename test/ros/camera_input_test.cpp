#include <limits>

#include "camera_test.hpp"
#include "geometry_msgs/msg/twist.hpp"
#include "geometry_msgs/msg/twist_stamped.hpp"
#include "ovf/vision/image_file.hpp"
#include "ovf_msgs/msg/novelty.hpp"
#include "ovf_msgs/msg/posterior.hpp"
#include "rosgraph_msgs/msg/clock.hpp"
#include "sensor_msgs/msg/compressed_image.hpp"
#include "std_msgs/msg/string.hpp"

namespace ovf_ros::test {
namespace {

using ovf::FrameOutcome;
using sensor_msgs::msg::CompressedImage;
using sensor_msgs::msg::Image;

constexpr auto kOk = diagnostic_msgs::msg::DiagnosticStatus::OK;
constexpr auto kWarn = diagnostic_msgs::msg::DiagnosticStatus::WARN;
constexpr auto kError = diagnostic_msgs::msg::DiagnosticStatus::ERROR;

class CameraInputTest : public CameraTest {
 protected:
  static CompressedImage compressed(double seconds, const std::vector<std::uint8_t>& bytes) {
    CompressedImage message;
    message.header.stamp = time_of(seconds);
    message.format = "jpeg";
    message.data = bytes;
    return message;
  }
  static ovf::Image grey_image() {
    ovf::Image image(16, 16);
    std::fill(image.rgb.begin(), image.rgb.end(), std::uint8_t{100});
    return image;
  }
};

TEST_F(CameraInputTest, PublishesEverythingForAPicture) {
  auto node = active_camera({{"output.prediction_period", 0.1},
                             {"output.predicted_frames", 5},
                             {"output.status_period", 0.1}});
  const auto posteriors = listen<ovf_msgs::msg::Posterior>("posterior");
  const auto reconstructions = listen<Image>("reconstruction");
  const auto predicted = listen<Image>("predicted_image");
  const auto predictions = listen<Image>("prediction");
  const auto novelties = listen<ovf_msgs::msg::Novelty>("novelty");
  const auto statuses = listen<ovf_msgs::msg::CameraStatus>("status");
  const auto pictures = publisher<Image>("camera/image");
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(show(*node, pictures, picture(1000.0 + 0.1 * i, 120 + i)));
  ASSERT_TRUE(spin_until([&] {
    return posteriors->size() == 3 && reconstructions->size() == 3 && predicted->size() == 3 &&
           predictions->size() == 3 && !statuses->empty() && statuses->back().used == 3;
  }));
  const auto& posterior = posteriors->back();
  EXPECT_EQ(posterior.header.frame_id, "lens");
  EXPECT_EQ(posterior.state.names.front(), "latent[0]");
  EXPECT_EQ(posterior.state.mean.size(), std::size_t{kLatent});
  EXPECT_EQ(posterior.state.covariance.size(), std::size_t{kLatent * kLatent});
  ASSERT_EQ(posterior.updates.size(), 1U);
  EXPECT_EQ(posterior.updates[0].sensor, "camera");
  EXPECT_EQ(posterior.updates[0].outcome, "Used");
  EXPECT_EQ(reconstructions->back().width, 4U * kSide);
  EXPECT_EQ(reconstructions->back().encoding, "rgb8");
  EXPECT_EQ(reconstructions->back().header.stamp, posterior.header.stamp);
  EXPECT_EQ(predicted->back().width, 4U * kSide);
  EXPECT_NEAR((rclcpp::Time(predicted->back().header.stamp) - rclcpp::Time(posterior.header.stamp))
                  .seconds(),
              0.1, 1e-6);
  EXPECT_GE(predictions->back().width, 5U * 4U * kSide);
  // The first one of a run was not predicted.
  EXPECT_EQ(novelties->size(), 2U);
  for (const auto& each : *novelties) EXPECT_TRUE(std::isfinite(each.novelty));
  EXPECT_GT(statuses->back().latency_p50, 0.0);
  EXPECT_TRUE(statuses->back().initialised);
}

TEST_F(CameraInputTest, TakesEveryUsualEncodingAndSize) {
  auto node = active_camera();
  const auto pictures = publisher<Image>("camera/image");
  double time = 1000.0;
  const auto send = [&](const std::string& encoding, int channels, int bytes) {
    Image message = picture(time += 0.1, 128, 10);
    message.encoding = encoding;
    message.step = message.width * static_cast<std::uint32_t>(channels * bytes);
    message.data.assign(message.step * message.height, 100);
    ASSERT_TRUE(show(*node, pictures, message)) << encoding;
    EXPECT_EQ(node->view().count(FrameOutcome::kBadImage), 0) << encoding;
  };
  send("rgb8", 3, 1);
  send("bgr8", 3, 1);
  send("rgba8", 4, 1);
  send("bgra8", 4, 1);
  send("mono8", 1, 1);
  send("mono16", 1, 2);
  send("rgb16", 3, 2);
  send("bayer_rggb8", 1, 1);
  send("bayer_gbrg8", 1, 1);
  send("yuv422", 2, 1);
  send("8UC1", 1, 1);
  send("8UC3", 3, 1);
  send("8UC4", 4, 1);
  EXPECT_EQ(node->view().count(FrameOutcome::kUsed), 13);
}

TEST_F(CameraInputTest, CountsBadPicturesOfEveryKindAndSaysWhy) {
  listen_to_diagnostics();
  auto node = active_camera();
  const auto pictures = publisher<Image>("camera/image");
  double time = 1000.0;
  long bad = 0;
  const auto send = [&](const std::string& reason, const std::function<void(Image&)>& spoil) {
    Image message = picture(time += 0.1);
    spoil(message);
    ASSERT_TRUE(show(*node, pictures, message)) << reason;
    const CameraMonitor::View view = node->view();
    EXPECT_EQ(view.count(FrameOutcome::kBadImage), ++bad) << reason;
    EXPECT_NE(view.bad_picture.find(reason), std::string::npos) << view.bad_picture;
  };
  send("empty", [](Image& m) { m = Image(); });
  send("empty", [](Image& m) { m.width = 0; });
  send("empty", [](Image& m) { m.data.clear(); });
  send("bytes", [](Image& m) { m.data.resize(5); });
  send("bytes", [](Image& m) { m.data.resize(m.data.size() + 1); });
  send("at most", [](Image& m) { m.width = 1U << 31U; });
  // The product of these is zero in 32 bits.
  send("at most", [](Image& m) { m.height = m.step = 1U << 16U; });
  send("step", [](Image& m) {
    m.step = 1;
    m.data.resize(m.height);
  });
  send("encoding pigeon", [](Image& m) { m.encoding = "pigeon"; });
  send("encoding ", [](Image& m) { m.encoding = ""; });
  send("32FC1", [](Image& m) {
    m.encoding = "32FC1";
    m.step = 4 * m.width;
    m.data.resize(m.step * m.height);
  });
  send("16UC1", [](Image& m) {
    m.encoding = "16UC1";
    m.step = 2 * m.width;
    m.data.resize(m.step * m.height);
  });
  send("yuv422", [](Image& m) {
    m.encoding = "yuv422";
    m.width = 7;
    m.step = 14;
    m.data.resize(m.step * m.height);
  });
  EXPECT_TRUE(diagnosed("pictures", kError, "nothing is used: BadImage"));
  // And it goes on.
  ASSERT_TRUE(show(*node, pictures, picture(time += 0.1)));
  EXPECT_EQ(node->view().count(FrameOutcome::kUsed), 1);
}

TEST_F(CameraInputTest, ReadsCompressedPicturesAndCountsDamagedOnes) {
  auto node = active_camera({{"image_transport", "compressed"}});
  const auto pictures = publisher<CompressedImage>("camera/image/compressed");
  const std::vector<std::uint8_t> jpeg = encode_jpeg(grey_image());
  ASSERT_TRUE(show(*node, pictures, compressed(1000.0, jpeg)));
  ASSERT_TRUE(show(*node, pictures, compressed(1000.1, encode_png(grey_image()))));
  EXPECT_EQ(node->view().count(FrameOutcome::kUsed), 2);
  std::vector<std::vector<std::uint8_t>> damaged = {{}, {1, 2, 3}, jpeg, jpeg};
  damaged[2].resize(jpeg.size() / 2);
  std::fill(damaged[3].begin() + 2, damaged[3].end(), std::uint8_t{0});
  long bad = 0;
  for (const auto& bytes : damaged) {
    ASSERT_TRUE(show(*node, pictures, compressed(1001.0 + 0.1 * static_cast<double>(bad), bytes)));
    EXPECT_EQ(node->view().count(FrameOutcome::kBadImage), ++bad);
    EXPECT_FALSE(node->view().bad_picture.empty());
  }
}

TEST_F(CameraInputTest, ReadsATopicThatIsCompressedItself) {
  auto source = tester_->create_publisher<CompressedImage>("camera/image", 10);
  auto node = active_camera();
  ASSERT_TRUE(spin_until([&] { return source->get_subscription_count() > 0; }));
  ASSERT_TRUE(show(*node, source, compressed(1000.0, encode_jpeg(grey_image()))));
  EXPECT_EQ(node->view().count(FrameOutcome::kUsed), 1);
}

TEST_F(CameraInputTest, CountsWhatBecomesOfEachPicture) {
  auto node = active_camera();
  const auto pictures = publisher<Image>("camera/image");
  ASSERT_TRUE(show(*node, pictures, picture(1000.0)));
  ASSERT_TRUE(show(*node, pictures, picture(1000.0)));
  ASSERT_TRUE(show(*node, pictures, picture(999.5)));
  ASSERT_TRUE(show(*node, pictures, picture(1000.01)));
  ASSERT_TRUE(show(*node, pictures, picture(1000.1)));
  const CameraMonitor::View view = node->view();
  EXPECT_EQ(view.count(FrameOutcome::kUsed), 2);
  EXPECT_EQ(view.count(FrameOutcome::kDuplicate), 1);
  EXPECT_EQ(view.count(FrameOutcome::kOutOfOrder), 1);
  EXPECT_EQ(view.count(FrameOutcome::kTooSoon), 1);
}

TEST_F(CameraInputTest, TakesTheTimeOfReceiptWithoutAStamp) {
  auto node = active_camera();
  const auto pictures = publisher<Image>("camera/image");
  Image message = picture(0.0);
  ASSERT_TRUE(show(*node, pictures, message));
  EXPECT_NEAR(ovf::seconds_between(node->view().stamp, node->get_clock()->now().nanoseconds()), 0.0,
              30.0);
  // Before 1970 is no time for a picture, but no reason to stop.
  message.header.stamp.sec = std::numeric_limits<std::int32_t>::min();
  ASSERT_TRUE(show(*node, pictures, message));
}

TEST_F(CameraInputTest, DropsAndCountsPicturesThatComeTooFast) {
  listen_to_diagnostics();
  work_milliseconds = 50;
  auto node = active_camera({{"rate", 100.0}});
  const auto pictures = publisher<Image>("camera/image");
  constexpr int kCount = 200;
  for (int i = 0; i < kCount; ++i) {
    pictures->publish(picture(1000.0 + 0.01 * i));
    spin_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(spin_until([&] { return seen(*node) == kCount; }));
  const CameraMonitor::View view = node->view();
  EXPECT_GT(view.dropped, kCount / 2);
  EXPECT_EQ(view.count(FrameOutcome::kUsed) + view.dropped, kCount);
  EXPECT_TRUE(diagnosed("camera", kWarn, "cannot keep up"));
}

TEST_F(CameraInputTest, StartsAnewWhenTheClockIsSetBack) {
  listen_to_diagnostics();
  auto node = active_camera();
  const auto pictures = publisher<Image>("camera/image");
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(show(*node, pictures, picture(1000.0 + 0.1 * i)));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(show(*node, pictures, picture(500.0 + 0.1 * i)));
  EXPECT_EQ(node->view().count(FrameOutcome::kUsed), 6);
  EXPECT_EQ(node->view().restarts, 2);
  EXPECT_TRUE(diagnosed("camera", kWarn, "set back"));
}

TEST_F(CameraInputTest, SurvivesASimulatedClockThatIsSetBack) {
  listen_to_diagnostics();
  auto node = active_camera({{"use_sim_time", true}, {"output.status_period", 0.1}});
  EXPECT_TRUE(diagnosed("camera", kError, "/clock"));
  auto clock = tester_->create_publisher<rosgraph_msgs::msg::Clock>("/clock", rclcpp::ClockQoS());
  const auto pictures = publisher<Image>("camera/image");
  const auto run = [&](double start) {
    for (int i = 0; i < 5; ++i) {
      rosgraph_msgs::msg::Clock now;
      now.clock = time_of(start + 0.1 * i);
      clock->publish(now);
      ASSERT_TRUE(show(*node, pictures, picture(start + 0.1 * i)));
      spin_for(std::chrono::milliseconds(20));
    }
  };
  run(1000.0);
  run(100.0);
  EXPECT_EQ(node->view().count(FrameOutcome::kUsed), 10);
}

TEST_F(CameraInputTest, GoesOnAfterANetworkThrew) {
  auto node = active_camera();
  const auto pictures = publisher<Image>("camera/image");
  ASSERT_TRUE(show(*node, pictures, picture(1000.0)));
  is_broken = true;
  ASSERT_TRUE(show(*node, pictures, picture(1000.1)));
  EXPECT_EQ(node->view().count(FrameOutcome::kNumericalFailure), 1);
  EXPECT_NE(node->view().failure.find("broken"), std::string::npos);
  is_broken = false;
  ASSERT_TRUE(show(*node, pictures, picture(1000.2)));
  EXPECT_EQ(node->view().count(FrameOutcome::kUsed), 2);
}

TEST_F(CameraInputTest, TellsWhenNobodyPublishes) {
  listen_to_diagnostics();
  auto other = tester_->create_publisher<Image>("elsewhere", 10);
  auto node = active_camera();
  EXPECT_TRUE(diagnosed("pictures", kWarn, "nobody publishes " + namespace_ + "/camera/image"));
  EXPECT_TRUE(diagnosed("pictures", kWarn, namespace_ + "/elsewhere"));
  EXPECT_TRUE(diagnosed("camera", kWarn, "waiting"));
  auto packed = tester_->create_publisher<CompressedImage>("camera/image/compressed", 10);
  EXPECT_TRUE(diagnosed("pictures", kWarn, "set image_transport to compressed"));
}

TEST_F(CameraInputTest, TellsOfAQosThatDoesNotFit) {
  listen_to_diagnostics();
  auto source = tester_->create_publisher<Image>("camera/image", rclcpp::QoS(10).best_effort());
  auto node = active_camera();
  EXPECT_TRUE(diagnosed("pictures", kError, "reliable_inputs: false"));
}

TEST_F(CameraInputTest, TellsOfATopicThatHasNoPictures) {
  listen_to_diagnostics();
  auto source = tester_->create_publisher<std_msgs::msg::String>("camera/image", 10);
  auto node = active_camera();
  EXPECT_TRUE(diagnosed("pictures", kError, "std_msgs/msg/String"));
}

TEST_F(CameraInputTest, TellsOfACameraThatFallsSilent) {
  listen_to_diagnostics();
  auto node = active_camera({{"longest_gap", 0.5}});
  const auto pictures = publisher<Image>("camera/image");
  ASSERT_TRUE(show(*node, pictures, picture(1000.0)));
  EXPECT_TRUE(diagnosed("pictures", kWarn, "silent"));
}

TEST_F(CameraInputTest, HonoursRemappings) {
  auto node = active_camera({}, {"-r", "camera/image:=front/picture"});
  const auto pictures = publisher<Image>("front/picture");
  ASSERT_TRUE(show(*node, pictures, picture(1000.0)));
  EXPECT_EQ(node->view().count(FrameOutcome::kUsed), 1);
}

class CameraControlTest : public CameraTest {
 protected:
  /// The control that the network was given with a picture that came after these.
  template <typename M>
  Eigen::Vector2d used_control(const std::vector<M>& messages) {
    auto source = tester_->create_publisher<M>("control", 100);
    auto node = active_camera({{"control_topic", "control"}});
    EXPECT_TRUE(spin_until([&] { return source->get_subscription_count() > 0; }));
    const auto pictures = publisher<Image>("camera/image");
    // The node may know of the publisher a little later than the other way round.
    spin_for(std::chrono::milliseconds(200));
    for (const M& message : messages) source->publish(message);
    EXPECT_TRUE(spin_until([&] {
      return node->view().controls.counts.received == static_cast<long>(messages.size());
    }));
    EXPECT_TRUE(show(*node, pictures, picture(1000.0)));
    node->deactivate();
    return node->current_estimator()->last_control();
  }
};

TEST_F(CameraControlTest, TakesTheMeanOfStampedTwists) {
  std::vector<geometry_msgs::msg::TwistStamped> twists(2);
  twists[0].twist.linear.x = 1.0;
  twists[1].twist.linear.x = 2.0;
  twists[1].twist.angular.z = 0.5;
  EXPECT_EQ(used_control(twists), Eigen::Vector2d(1.5, 0.25));
}

TEST_F(CameraControlTest, TakesTwists) {
  std::vector<geometry_msgs::msg::Twist> twists(1);
  twists[0].linear.x = 1.0;
  EXPECT_EQ(used_control(twists), Eigen::Vector2d(1.0, 0.0));
}

TEST_F(CameraControlTest, TakesOdometryAndLeavesOutWhatIsNotFinite) {
  EXPECT_EQ(used_control<nav_msgs::msg::Odometry>(
                {odometry(1000.0, 1.0, -0.5),
                 odometry(1000.0, std::numeric_limits<double>::quiet_NaN())}),
            Eigen::Vector2d(1.0, -0.5));
}

TEST_F(CameraControlTest, IsDiagnosedWhenNobodyPublishesIt) {
  listen_to_diagnostics();
  auto node = active_camera({{"control_topic", "control"}});
  EXPECT_TRUE(diagnosed("control", kWarn, "nobody publishes"));
  EXPECT_TRUE(diagnosed("learning", kOk, "on"));
}

}  // namespace
}  // namespace ovf_ros::test
