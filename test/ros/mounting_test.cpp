#include "estimator_flow.hpp"
#include "tf2_msgs/msg/tf_message.hpp"

namespace ovf_ros::test {
namespace {

using diagnostic_msgs::msg::DiagnosticStatus;
using sensor_msgs::msg::NavSatFix;

class TfMounting : public EstimatorFlow {
 protected:
  TfMounting() : body_("body" + namespace_.substr(1)), antenna_("antenna" + namespace_.substr(1)) {}
  void publish_mounting(double x) {
    statics_ = tester_->create_publisher<tf2_msgs::msg::TFMessage>(
        "/tf_static", rclcpp::QoS(10).transient_local());
    tf2_msgs::msg::TFMessage message;
    auto& transform = message.transforms.emplace_back();
    transform.header.frame_id = body_;
    transform.child_frame_id = antenna_;
    transform.transform.translation.x = x;
    transform.transform.rotation.w = 1.0;
    statics_->publish(message);
    EXPECT_TRUE(spin_until([&] { return statics_->get_subscription_count() > 0; }));
  }
  NavSatFix fix_of_antenna(double seconds) const {
    auto message = fix(seconds);
    message.header.frame_id = antenna_;
    return message;
  }
  double offset() const { return estimator().config().sensors[0].offset_x.value; }

  std::string body_;
  std::string antenna_;
  rclcpp::Publisher<tf2_msgs::msg::TFMessage>::SharedPtr statics_;
};

TEST_F(TfMounting, IsTakenFromStaticTransforms) {
  start({{"output.body_frame", body_}});
  listen_to_diagnostics();
  ASSERT_TRUE(send(*node_, fixes_, fix_of_antenna(1000.0)));
  EXPECT_TRUE(diagnosed("sensor gps", DiagnosticStatus::WARN, "no transform from " + body_));
  EXPECT_EQ(offset(), 0.0);
  publish_mounting(0.7);
  double t = 1000.0;
  EXPECT_TRUE(spin_until([&] {
    fixes_->publish(fix_of_antenna(t += 1e-3));
    spin_for(std::chrono::milliseconds(5));
    return offset() == 0.7;
  }));
  EXPECT_TRUE(spin_until([&] { return estimator().initialised(); }));
}

TEST_F(TfMounting, ThatComesLateIsTakenWithoutLosingTheBelief) {
  start({{"output.body_frame", body_}});
  double t = 1000.0;
  while (t < 1020.0) ASSERT_TRUE(send(*node_, fixes_, fix_of_antenna(t += 0.5)));
  const double deviation = estimator().belief().covariance()(0, 0);
  publish_mounting(0.7);
  EXPECT_TRUE(spin_until([&] {
    fixes_->publish(fix_of_antenna(t += 1e-3));
    spin_for(std::chrono::milliseconds(5));
    return offset() == 0.7;
  }));
  ASSERT_TRUE(estimator().initialised());
  EXPECT_LT(estimator().belief().covariance()(0, 0), 1.5 * deviation);
}

TEST_F(TfMounting, IsAsConfiguredWhereItIsConfigured) {
  start({{"output.body_frame", body_}, {"gps.offset_x.value", 0.2}});
  publish_mounting(0.7);
  spin_for(std::chrono::milliseconds(100));
  ASSERT_TRUE(send(*node_, fixes_, fix_of_antenna(1000.0)));
  EXPECT_EQ(offset(), 0.2);
}

}  // namespace
}  // namespace ovf_ros::test
