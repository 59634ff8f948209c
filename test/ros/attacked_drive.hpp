#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "estimator_flow.hpp"
#include "geometry_msgs/msg/pose_with_covariance_stamped.hpp"
#include "ovf/math/random.hpp"
#include "rosgraph_msgs/msg/clock.hpp"
#include "sensor_msgs/msg/imu.hpp"

namespace ovf_ros::test {

/// A robot that drives straight to the east at 1 m/s, with odometry at 20 Hz, a compass at 10 Hz
/// and positions at 5 Hz, while somebody tampers with its messages. Its clock is simulated, so that
/// nothing depends on how fast the machine is. After each message the belief is compared with the
/// truth, and each second with what the diagnostics say.
class AttackedDrive : public RosTest {
 protected:
  using Odometry = nav_msgs::msg::Odometry;
  using Imu = sensor_msgs::msg::Imu;
  using Fix = geometry_msgs::msg::PoseWithCovarianceStamped;
  using DiagnosticStatus = diagnostic_msgs::msg::DiagnosticStatus;

  static constexpr double kRate = 20.0;
  static constexpr int kCompassEvery = 2;
  static constexpr int kFixEvery = 4;
  static constexpr double kFixNoise = 0.3;
  static constexpr double kCompassNoise = 0.05;
  /// In stated standard deviations, of x or y.
  static constexpr double kHonest = 3.0;
  /// Whoever is further off has so many seconds to say so.
  static constexpr double kTimeToTell = 2.0;

  /// What is sent at a time.
  struct Sent {
    double time = 0.0;
    std::vector<Odometry> odometries;
    std::vector<Imu> headings;
    std::vector<Fix> fixes;
  };
  using Attack = std::function<void(Sent&)>;

  /// Positions are all there is.
  static Parameters gnss_alone() {
    return {{"use_sim_time", true},
            {"sensors", std::vector<std::string>{"gps"}},
            {"gps.kind", "position"},
            {"gps.topic", "fix"},
            {"gps.noise", std::vector<double>{kFixNoise}},
            {"gps.error_time", 0.0},
            {"motion.control", "none"},
            {"reliable_inputs", true},
            {"input_depth", 1000}};
  }
  static Parameters all_sensors() {
    return with(gnss_alone(), {{"sensors", std::vector<std::string>{"gps", "compass"}},
                               {"compass.kind", "yaw"},
                               {"compass.topic", "imu"},
                               {"compass.noise", std::vector<double>{kCompassNoise}},
                               {"compass.error_time", 0.0},
                               {"motion.control", "odometry"},
                               {"motion.control_topic", "odom"}});
  }

  AttackedDrive() { listen_to_diagnostics(); }

  void start(const Parameters& more = {}) { begin(with(all_sensors(), more)); }
  void begin(const Parameters& parameters) {
    node_ = make_node(parameters, {"-r", "/clock:=" + namespace_ + "/clock"});
    ASSERT_EQ(node_->configure().id(), LifecycleState::PRIMARY_STATE_INACTIVE);
    clock_ = publisher<rosgraph_msgs::msg::Clock>("clock");
    set_clock(time_);
    diagnosed_at_ = time_;
    ASSERT_EQ(node_->activate().id(), LifecycleState::PRIMARY_STATE_ACTIVE);
    if (estimator().config().motion.control != ovf::ControlKind::kNone) {
      odometries_ = publisher<Odometry>("odom");
    }
    if (estimator().config().sensors.size() > 1) headings_ = publisher<Imu>("imu");
    fixes_ = publisher<Fix>("fix");
  }

  /// What the diagnostics are expected to name.
  void expect_to_be_named(const std::string& cause) { cause_ = cause; }

  void drive(double seconds, const Attack& attack = {}) {
    ASSERT_NE(node_->current_estimator(), nullptr);
    for (const long end = step_ + std::lround(kRate * seconds); step_ < end;) {
      ++step_;
      truth_.x() += speed_ / kRate;
      set_clock(time_ + 1.0 / kRate);
      Sent sent = messages();
      if (attack) attack(sent);
      deliver(sent);
      if (HasFatalFailure()) return;
    }
  }

  /// The messages of the next seconds, which nobody receives yet.
  std::vector<Sent> missed(double seconds) {
    std::vector<Sent> all;
    const double begin = time_;
    for (long k = 1; k <= std::lround(kRate * seconds); ++k) {
      ++step_;
      truth_.x() += speed_ / kRate;
      time_ = begin + static_cast<double>(k) / kRate;
      all.push_back(messages());
    }
    return all;
  }

  void deliver(const Sent& sent) {
    for (const auto& each : sent.odometries) deliver(odometries_, each);
    for (const auto& each : sent.headings) deliver(headings_, each);
    for (const auto& each : sent.fixes) deliver(fixes_, each);
  }

  void set_clock(double time) {
    time_ = time;
    rosgraph_msgs::msg::Clock message;
    message.clock = time_of(time);
    const rclcpp::Time until(message.clock, RCL_ROS_TIME);
    clock_->publish(message);
    ASSERT_TRUE(spin_briefly_until([&] { return node_->now() >= until; }));
    if (node_->get_current_state().id() != LifecycleState::PRIMARY_STATE_ACTIVE) return;
    ASSERT_TRUE(spin_briefly_until([&] { return diagnosed_at_ > time - kDiagnosticPeriod; }));
  }

  /// After an attack, 10 s of good messages.
  void expect_recovery() {
    drive(10.0);
    expect_honest();
    EXPECT_LT(deviations_off(), kHonest);
    EXPECT_LT(error().norm(), 1.0);
    EXPECT_LT(deviations().maxCoeff(), 1.0);
    EXPECT_EQ(count(ovf::Outcome::kNumericalFailure), 0);
  }
  /// Nothing has been far off without a word so far.
  void expect_honest() {
    EXPECT_EQ(silently_off_, 0.0) << "deviations off, first at " << silent_at_ << " s; at most "
                                  << most_off_;
  }

  const ovf::Estimator& estimator() const { return *node_->current_estimator(); }
  Eigen::Vector2d error() const { return estimator().belief().mean.head<2>() - truth_; }
  Eigen::Vector2d deviations() const {
    return estimator().belief().factor.standard_deviations().head<2>();
  }
  double deviations_off() const {
    return (error().array() / deviations().array()).abs().maxCoeff();
  }
  long count(ovf::Outcome outcome) const { return estimator().counters().of(outcome); }
  long count(ovf::EventKind kind) const { return estimator().counters().of(kind); }

  static Odometry odometry_at(double time, double speed) { return odometry(time, speed); }
  static Fix fix_at(double time, const Eigen::Vector2d& place) {
    Fix message;
    message.header.stamp = time_of(time);
    message.pose.pose.position.x = place.x();
    message.pose.pose.position.y = place.y();
    message.pose.pose.orientation.w = 1.0;
    return message;
  }
  static Imu heading_at(double time, double yaw) {
    Imu message;
    message.header.stamp = time_of(time);
    message.orientation.w = std::cos(0.5 * yaw);
    message.orientation.z = std::sin(0.5 * yaw);
    return message;
  }

  double time_ = 1000.0;
  double speed_ = 1.0;
  Eigen::Vector2d truth_{0.0, 0.0};
  double most_off_ = 0.0;
  std::shared_ptr<EstimatorNode> node_;
  rclcpp::Publisher<Odometry>::SharedPtr odometries_;
  rclcpp::Publisher<Imu>::SharedPtr headings_;
  rclcpp::Publisher<Fix>::SharedPtr fixes_;

 private:
  static constexpr double kDiagnosticPeriod = 1.1;  // with some room for steps of the clock

  Sent messages() {
    Sent sent;
    sent.time = time_;
    Eigen::MatrixXd z(3, 1);
    random_.fill_normal(z);
    if (odometries_) sent.odometries.push_back(odometry_at(time_, speed_));
    if (headings_ && step_ % kCompassEvery == 0) {
      sent.headings.push_back(heading_at(time_, kCompassNoise * z(2, 0)));
    }
    if (step_ % kFixEvery == 0) {
      sent.fixes.push_back(fix_at(time_, truth_ + kFixNoise * z.topRows<2>()));
    }
    return sent;
  }

  template <typename Publisher, typename M>
  void deliver(const Publisher& publisher, const M& message) {
    const long before = total(*node_);
    publisher->publish(message);
    ASSERT_TRUE(spin_briefly_until([&] { return total(*node_) > before; }));
    compare();
  }

  void compare() {
    if (!estimator().initialised()) return;
    const double off = deviations_off();
    most_off_ = std::max(most_off_, off);
    off_since_ = off > kHonest ? std::min(off_since_, time_) : kNever;
    if (time_ <= off_since_ + kTimeToTell || is_named()) return;
    if (silently_off_ == 0.0) silent_at_ = time_;
    silently_off_ = std::max(silently_off_, off);
  }

  bool is_named() const {
    if (cause_.empty()) return false;
    for (const auto& [name, status] : diagnostics_) {
      if (status.level < DiagnosticStatus::WARN) continue;
      if ((name + status.message).find(cause_) != std::string::npos) return true;
    }
    return false;
  }

  bool spin_briefly_until(const std::function<bool()>& is_so) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!is_so()) {
      if (std::chrono::steady_clock::now() > end) return false;
      executor_.spin_once(std::chrono::milliseconds(1));
    }
    return true;
  }

  static constexpr double kNever = std::numeric_limits<double>::infinity();

  rclcpp::Publisher<rosgraph_msgs::msg::Clock>::SharedPtr clock_;
  long step_ = 0;
  ovf::RandomStream random_{20, 71};
  std::string cause_;
  double off_since_ = kNever;
  double silently_off_ = 0.0;
  double silent_at_ = 0.0;
};

}  // namespace ovf_ros::test
