// A robot that sends much: an IMU at 1 kHz, odometry at 100 Hz and GNSS at 20 Hz for some seconds.
// Listens to what the estimator makes of it, and prints one line of JSON: messages sent and
// answered from a second after the first belief on, and the time from publishing a message to its
// posterior.
//
//   load SECONDS

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unordered_map>
#include <vector>

#include "nav_msgs/msg/odometry.hpp"
#include "ovf_msgs/msg/posterior.hpp"
#include "rclcpp/rclcpp.hpp"
#include "sensor_msgs/msg/imu.hpp"
#include "sensor_msgs/msg/nav_sat_fix.hpp"

namespace {

constexpr double kRate = 1000.0;  // of the IMU, Hz
constexpr int kOdometryEvery = 10;
constexpr int kFixEvery = 50;
constexpr double kSpeed = 1.0;
constexpr double kTurnRate = 0.2;
constexpr double kGravity = 9.81;
constexpr double kMetresPerDegree = 111'194.9;

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0.0;
  const auto place = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place),
                   values.end());
  return values[place];
}

class Load : public rclcpp::Node {
 public:
  Load() : Node("load") {
    const rclcpp::QoS qos(10);
    imu_ = create_publisher<sensor_msgs::msg::Imu>("imu", qos);
    odometry_ = create_publisher<nav_msgs::msg::Odometry>("odom", qos);
    fix_ = create_publisher<sensor_msgs::msg::NavSatFix>("fix", qos);
    posterior_ = create_subscription<ovf_msgs::msg::Posterior>(
        "ovf/posterior", rclcpp::QoS(1000),
        [this](const ovf_msgs::msg::Posterior& message) { receive(message); });
  }

  /// So that nothing is made larger on the way.
  void expect(long messages) {
    latencies_.reserve(static_cast<std::size_t>(messages));
    waiting_.reserve(1000);
  }

  bool connected() const {
    return imu_->get_subscription_count() > 0 && odometry_->get_subscription_count() > 0 &&
           fix_->get_subscription_count() > 0 && posterior_->get_publisher_count() > 0;
  }

  /// The robot drives on a circle. All messages of a step have stamps of their own.
  void send(long step) {
    const double t = static_cast<double>(step) / kRate;
    sensor_msgs::msg::Imu imu;
    imu.header.stamp = now();
    imu.angular_velocity.z = kTurnRate;
    imu.linear_acceleration.y = kSpeed * kTurnRate;
    imu.linear_acceleration.z = kGravity;
    publish(*imu_, imu);
    if (step % kOdometryEvery == 0) {
      nav_msgs::msg::Odometry odometry;
      odometry.header.stamp = now();
      odometry.twist.twist.linear.x = kSpeed;
      odometry.twist.twist.angular.z = kTurnRate;
      publish(*odometry_, odometry);
    }
    if (step % kFixEvery == 0) {
      const double radius = kSpeed / kTurnRate;
      sensor_msgs::msg::NavSatFix fix;
      fix.header.stamp = now();
      fix.latitude = radius * (1.0 - std::cos(kTurnRate * t)) / kMetresPerDegree;
      fix.longitude = radius * std::sin(kTurnRate * t) / kMetresPerDegree;
      publish(*fix_, fix);
    }
  }

  void print() const {
    std::printf(
        "{\"sent\": %ld, \"answered\": %zu, \"latency_us\": {\"p50\": %.0f, \"p95\": %.0f, "
        "\"p99\": %.0f, \"p99.9\": %.0f, \"max\": %.0f}}\n",
        sent_, latencies_.size(), quantile(latencies_, 0.5), quantile(latencies_, 0.95),
        quantile(latencies_, 0.99), quantile(latencies_, 0.999), quantile(latencies_, 1.0));
  }

 private:
  template <typename Publisher, typename M>
  void publish(Publisher& publisher, const M& message) {
    if (answers_ > kRate) {
      waiting_.emplace(rclcpp::Time(message.header.stamp).nanoseconds(),
                       std::chrono::steady_clock::now());
      ++sent_;
    }
    publisher.publish(message);
  }

  void receive(const ovf_msgs::msg::Posterior& message) {
    const auto now = std::chrono::steady_clock::now();
    ++answers_;
    for (const auto& update : message.updates) {
      const auto found = waiting_.find(rclcpp::Time(update.stamp).nanoseconds());
      if (found == waiting_.end()) continue;
      latencies_.push_back(std::chrono::duration<double, std::micro>(now - found->second).count());
      waiting_.erase(found);
    }
  }

  rclcpp::Publisher<sensor_msgs::msg::Imu>::SharedPtr imu_;
  rclcpp::Publisher<nav_msgs::msg::Odometry>::SharedPtr odometry_;
  rclcpp::Publisher<sensor_msgs::msg::NavSatFix>::SharedPtr fix_;
  rclcpp::Subscription<ovf_msgs::msg::Posterior>::SharedPtr posterior_;
  long answers_ = 0;
  long sent_ = 0;
  std::unordered_map<std::int64_t, std::chrono::steady_clock::time_point> waiting_;
  std::vector<double> latencies_;
};

}  // namespace

int main(int argc, char** argv) {
  rclcpp::init(argc, argv);
  const double seconds = argc > 1 ? std::atof(argv[1]) : 10.0;
  const auto load = std::make_shared<Load>();
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(load);
  while (rclcpp::ok() && !load->connected()) executor.spin_once(std::chrono::milliseconds(50));
  const auto steps = static_cast<long>(seconds * kRate);
  load->expect(2 * steps);
  const auto period = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(1.0 / kRate));
  auto due = std::chrono::steady_clock::now();
  for (long step = 0; step < steps && rclcpp::ok(); ++step) {
    for (auto now = std::chrono::steady_clock::now(); now < due;
         now = std::chrono::steady_clock::now()) {
      executor.spin_once(due - now);
    }
    load->send(step);
    executor.spin_some();
    // A sender that was held up goes on at its rate: a sensor does not catch up in a burst.
    due = std::max(due + period, std::chrono::steady_clock::now());
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (rclcpp::ok() && std::chrono::steady_clock::now() < end) {
    executor.spin_once(std::chrono::milliseconds(10));
  }
  load->print();
  rclcpp::shutdown();
  return 0;
}
