#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "diagnostic_msgs/msg/diagnostic_array.hpp"
#include "lifecycle_msgs/msg/state.hpp"
#include "nav_msgs/msg/odometry.hpp"
#include "ovf_ros/estimator_node.hpp"
#include "rclcpp/rclcpp.hpp"
#include "sensor_msgs/msg/nav_sat_fix.hpp"

namespace ovf_ros::test {

using LifecycleState = lifecycle_msgs::msg::State;
using Parameters = std::vector<rclcpp::Parameter>;

constexpr double kLatitude = 48.0;
constexpr double kLongitude = 11.0;
constexpr double kMetresPerDegree = 111'000.0;

/// A planar robot with odometry and a position sensor, its topics in the test's namespace.
inline Parameters planar_parameters() {
  return {{"sensors", std::vector<std::string>{"gps"}},
          {"gps.kind", "position"},
          {"gps.topic", "fix"},
          {"gps.noise", std::vector<double>{0.3}},
          {"motion.control_topic", "odom"},
          {"initial.rule", "measurement"},
          {"gnss_origin", std::vector<double>{kLatitude, kLongitude, 480.0}},
          {"reliable_inputs", true},
          {"input_depth", 1000}};
}

inline Parameters with(Parameters parameters, const Parameters& more) {
  for (const rclcpp::Parameter& each : more) {
    std::erase_if(parameters,
                  [&](const auto& known) { return known.get_name() == each.get_name(); });
    parameters.push_back(each);
  }
  return parameters;
}

inline builtin_interfaces::msg::Time time_of(double seconds) {
  return rclcpp::Time(static_cast<std::int64_t>(seconds * 1e9));
}

inline nav_msgs::msg::Odometry odometry(double seconds, double v, double w = 0.0) {
  nav_msgs::msg::Odometry message;
  message.header.stamp = time_of(seconds);
  message.twist.twist.linear.x = v;
  message.twist.twist.angular.z = w;
  return message;
}

/// A place so many metres north of the origin.
inline sensor_msgs::msg::NavSatFix fix(double seconds, double north = 0.0) {
  sensor_msgs::msg::NavSatFix message;
  message.header.stamp = time_of(seconds);
  message.status.status = 0;
  message.latitude = kLatitude + north / kMetresPerDegree;
  message.longitude = kLongitude;
  message.altitude = 480.0;
  return message;
}

/// A namespace for each test, an executor, and a node that talks to the one under test.
class RosTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!rclcpp::ok()) rclcpp::init(0, nullptr);
  }

  RosTest() {
    static int number = 0;
    namespace_ = "/t" + std::to_string(getpid()) + "_" + std::to_string(++number);
    tester_ = std::make_shared<rclcpp::Node>("tester", namespace_);
    executor_.add_node(tester_);
  }
  ~RosTest() override {
    for (auto& base : bases_) executor_.remove_node(base);
  }

  template <typename Node = EstimatorNode>
  std::shared_ptr<Node> make_node(const Parameters& parameters,
                                  std::vector<std::string> arguments = {}) {
    rclcpp::NodeOptions options;
    arguments.insert(arguments.begin(), {"--ros-args", "-r", "__ns:=" + namespace_});
    options.arguments(arguments).parameter_overrides(parameters);
    auto node = std::make_shared<Node>(options);
    bases_.push_back(node->get_node_base_interface());
    executor_.add_node(bases_.back());
    return node;
  }
  template <typename Node>
  void destroy(std::shared_ptr<Node>& node) {
    const auto base = node->get_node_base_interface();
    executor_.remove_node(base);
    std::erase(bases_, base);
    node.reset();
  }
  /// Nothing may keep it alive then: no timer, subscription or service.
  template <typename Node>
  void expect_destroyed(std::shared_ptr<Node>& node) {
    const std::weak_ptr<Node> left = node;
    destroy(node);
    EXPECT_TRUE(left.expired());
  }
  /// A configured and active one.
  std::shared_ptr<EstimatorNode> active_node(const Parameters& parameters) {
    auto node = make_node(parameters);
    EXPECT_EQ(node->configure().id(), LifecycleState::PRIMARY_STATE_INACTIVE);
    EXPECT_EQ(node->activate().id(), LifecycleState::PRIMARY_STATE_ACTIVE);
    return node;
  }

  /// Spins until it is so; the time is for a machine that has much else to do.
  bool spin_until(const std::function<bool()>& is_so,
                  std::chrono::seconds longest = std::chrono::seconds(60)) {
    const auto end = std::chrono::steady_clock::now() + longest;
    while (!is_so()) {
      if (std::chrono::steady_clock::now() > end) return false;
      executor_.spin_once(std::chrono::milliseconds(10));
    }
    return true;
  }
  void spin_for(std::chrono::milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
      executor_.spin_once(std::chrono::milliseconds(5));
    }
  }

  /// A publisher to the node under test, once they know each other.
  template <typename M>
  typename rclcpp::Publisher<M>::SharedPtr publisher(const std::string& topic,
                                                     const rclcpp::QoS& qos = rclcpp::QoS(1000)) {
    auto out = tester_->create_publisher<M>(topic, qos);
    EXPECT_TRUE(spin_until([&] { return out->get_subscription_count() > 0; })) << topic;
    return out;
  }
  /// What came on a topic so far. The topic is below the node if it has no slash in front.
  template <typename M>
  std::shared_ptr<std::vector<M>> listen(const std::string& topic,
                                         const rclcpp::QoS& qos = rclcpp::QoS(1000)) {
    auto messages = std::make_shared<std::vector<M>>();
    const std::string name = topic.starts_with('/') ? topic : node_name_ + "/" + topic;
    auto subscription = tester_->create_subscription<M>(
        name, qos, [messages](const M& message) { messages->push_back(message); });
    listeners_.push_back(subscription);
    EXPECT_TRUE(spin_until([&] { return subscription->get_publisher_count() > 0; })) << name;
    return messages;
  }

  static long total(const EstimatorNode& node) {
    long sum = 0;
    for (const long each : node.current_estimator()->counters().outcomes) sum += each;
    return sum;
  }
  /// Publishes, and spins until the estimator has seen so many messages more.
  template <typename Publisher, typename M>
  bool send(const EstimatorNode& node, const Publisher& publisher, const M& message,
            long count = 1) {
    const long before = total(node);
    publisher->publish(message);
    return spin_until([&] { return total(node) >= before + count; });
  }

  template <typename Service>
  typename Service::Response call(const std::string& name,
                                  const typename Service::Request& request) {
    auto client = tester_->create_client<Service>(node_name_ + "/" + name);
    EXPECT_TRUE(spin_until([&] { return client->service_is_ready(); })) << name;
    auto future = client->async_send_request(std::make_shared<typename Service::Request>(request));
    EXPECT_EQ(executor_.spin_until_future_complete(future, std::chrono::seconds(60)),
              rclcpp::FutureReturnCode::SUCCESS)
        << name;
    return *future.get();
  }

  /// The latest diagnostic status of each name.
  void listen_to_diagnostics() {
    listeners_.push_back(tester_->create_subscription<diagnostic_msgs::msg::DiagnosticArray>(
        "/diagnostics", 100, [this](const diagnostic_msgs::msg::DiagnosticArray& array) {
          diagnosed_at_ = rclcpp::Time(array.header.stamp).seconds();
          for (const auto& status : array.status) diagnostics_[status.name] = status;
        }));
  }
  testing::AssertionResult diagnosed(const std::string& name, unsigned char level,
                                     const std::string& text) {
    const auto& status = diagnostics_[node_name_ + ": " + name];
    const bool seen = spin_until(
        [&] { return status.level == level && status.message.find(text) != std::string::npos; });
    if (seen) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << "the last status has level " << int{status.level} << ": " << status.message;
  }

  std::string namespace_;
  std::string node_name_ = "ovf";  ///< of the node under test
  rclcpp::executors::SingleThreadedExecutor executor_;
  std::shared_ptr<rclcpp::Node> tester_;
  std::vector<std::shared_ptr<rclcpp::SubscriptionBase>> listeners_;
  std::vector<rclcpp::node_interfaces::NodeBaseInterface::SharedPtr> bases_;
  std::map<std::string, diagnostic_msgs::msg::DiagnosticStatus> diagnostics_;
  double diagnosed_at_ = 0.0;
};

}  // namespace ovf_ros::test
