// A robot that drives a circle and sends much: an IMU at 1 kHz, odometry at 100 Hz and GNSS at
// 20 Hz. Every 12 s something goes wrong for 2 s, drawn at random. Compares what the estimator says
// with the truth all the while, and at the end prints one line of JSON: what was sent and received,
// and for each fault how often it was, how far off the belief was, and whether 10 s later all was
// well again.
//
//   faulty_robot SECONDS SEED PID FOLDER
//
// PID is the estimator's, which is stopped for a while; FOLDER that of its checkpoint, which
// becomes full (a small file system of its own) or vanishes.

#include <signal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "diagnostic_msgs/msg/diagnostic_array.hpp"
#include "nav_msgs/msg/odometry.hpp"
#include "ovf/math/random.hpp"
#include "rclcpp/rclcpp.hpp"
#include "sensor_msgs/msg/imu.hpp"
#include "sensor_msgs/msg/nav_sat_fix.hpp"

namespace {

using diagnostic_msgs::msg::DiagnosticStatus;
using nav_msgs::msg::Odometry;
using sensor_msgs::msg::Imu;
using sensor_msgs::msg::NavSatFix;

constexpr int kRate = 1000;  // of the IMU, Hz
constexpr int kOdometryEvery = 10;
constexpr int kFixEvery = 50;
constexpr double kSpeed = 1.0;
constexpr double kTurnRate = 0.2;
constexpr double kFixNoise = 0.3;
constexpr double kGyroNoise = 0.02;
constexpr double kGravity = 9.81;
constexpr double kMetresPerDegree = 111'194.9;

constexpr int kPeriod = 12 * kRate;  // steps from one fault to the next
constexpr int kFault = 2 * kRate;
constexpr double kHonest = 3.0;
constexpr double kTimeToTell = 2.0;
constexpr double kFresh = 0.5;  // a belief of so long ago is compared with the truth, in seconds

constexpr std::array kFaults = {"restart",    "burst",      "held_back", "bytes",   "nonsense",
                                "clock_step", "gnss_ahead", "gnss_jump", "silence", "odometry",
                                "no_stamps",  "stopped",    "full_disk"};

struct Place {
  double x = 0.0;
  double y = 0.0;
};

/// What happened because of one kind of fault.
struct Record {
  int count = 0;
  int recovered = 0;
  double most_off = 0.0;      // stated deviations
  double silently_off = 0.0;  // seconds further off than kHonest without a word
};

class FaultyRobot : public rclcpp::Node {
 public:
  FaultyRobot(std::uint64_t seed, pid_t estimator, std::filesystem::path folder)
      : Node("faulty_robot"), random_(seed), estimator_(estimator), folder_(std::move(folder)) {
    for (int topic = 0; topic < 3; ++topic) connect(topic);
    odometry_in_ =
        create_subscription<Odometry>("ovf/odometry", rclcpp::QoS(10).best_effort(),
                                      [this](const Odometry& message) { compare(message); });
    diagnostics_ = create_subscription<diagnostic_msgs::msg::DiagnosticArray>(
        "/diagnostics", 100,
        [this](const diagnostic_msgs::msg::DiagnosticArray& array) { diagnose(array); });
  }

  bool connected() const {
    return imu_->get_subscription_count() > 0 && odometry_->get_subscription_count() > 0 &&
           fix_->get_subscription_count() > 0 && odometry_in_->get_publisher_count() > 0;
  }

  void begin() { begun_ = now().seconds(); }

  void step(long step) {
    const int phase = static_cast<int>(step % kPeriod);
    // The first period is good.
    if (step >= kPeriod && phase == 0) begin_fault();
    if (phase == kFault) end_fault();
    if (phase == kPeriod - 1 && fault_ >= 0) judge();
    const double time = now().seconds();
    const bool silent = is("silence");
    if (!silent) send_imu(time);
    if (!silent && step % kOdometryEvery == 0) send_odometry(time);
    if (!silent && step % kFixEvery == 0) send_fix(time);
    if (is("bytes") && phase % 20 == 0) send_bytes();
  }

  void print(double seconds) const {
    std::printf("{\"seconds\": %.0f, \"sent\": [%ld, %ld, %ld]", seconds, sent_[0], sent_[1],
                sent_[2]);
    for (const auto& [name, value] : totals_) {
      std::printf(", \"%s\": %s", name.c_str(), value.c_str());
    }
    std::printf(", \"compared\": %ld, \"faults\": {", compared_);
    const char* separator = "";
    for (const auto& [name, record] : records_) {
      std::printf(
          "%s\"%s\": {\"count\": %d, \"recovered\": %d, \"most_off\": %.3g, "
          "\"silently_off_s\": %.3g}",
          separator, name.c_str(), record.count, record.recovered, record.most_off,
          record.silently_off);
      separator = ", ";
    }
    std::printf("}}\n");
    std::fflush(stdout);
  }

 private:
  bool is(const char* fault) const {
    return active_ && fault_ >= 0 &&
           std::string(kFaults[static_cast<std::size_t>(fault_)]) == fault;
  }

  void connect(int topic) {
    const rclcpp::QoS qos(1000);
    if (topic == 0) imu_ = create_publisher<Imu>("imu", qos);
    if (topic == 1) odometry_ = create_publisher<Odometry>("odom", qos);
    if (topic == 2) fix_ = create_publisher<NavSatFix>("fix", qos);
  }

  void begin_fault() {
    fault_ = random_.uniform_index(static_cast<int>(kFaults.size()));
    active_ = true;
    topic_ = random_.uniform_index(3);
    size_ = std::exp(std::log(0.1) + random_.uniform() * std::log(1000.0));  // 0.1 to 100
    if (random_.uniform() < 0.5) size_ = -size_;
    record().count += 1;
    if (is("restart")) connect(topic_);
    if (is("stopped") && estimator_ > 0) kill(estimator_, SIGSTOP);
    if (is("full_disk")) fill_disk();
  }

  void end_fault() {
    if (fault_ < 0) return;
    if (is("stopped") && estimator_ > 0) kill(estimator_, SIGCONT);
    if (is("full_disk")) std::filesystem::remove(filler());
    active_ = false;
    for (const Imu& each : held_imu_) publish(each);
    for (const NavSatFix& each : held_fixes_) publish(each);
    held_imu_.clear();
    held_fixes_.clear();
  }

  void judge() {
    if (last_off_ < kHonest && last_error_ < 1.5 && now().seconds() - last_compared_ < 1.0) {
      record().recovered += 1;
    }
  }

  Record& record() {
    return records_[fault_ < 0 ? "none" : kFaults[static_cast<std::size_t>(fault_)]];
  }

  std::filesystem::path filler() const { return folder_ / "filler"; }
  void fill_disk() const {
    std::ofstream file(filler(), std::ios::binary);
    const std::string block(4096, 'x');
    // Not more than a small file system has.
    for (int i = 0; i < 1000 && file.write(block.data(), 4096).flush(); ++i) {
    }
  }

  Place truth(double time) const {
    const double angle = kTurnRate * (time - begun_);
    const double radius = kSpeed / kTurnRate;
    return {radius * std::sin(angle), radius * (1.0 - std::cos(angle))};
  }

  // What a fault makes of a number or a stamp.
  double number(double usual) {
    if (!is("nonsense") || random_.uniform() < 0.5) return usual;
    constexpr std::array values = {std::numeric_limits<double>::quiet_NaN(),
                                   std::numeric_limits<double>::infinity(),
                                   1e300,
                                   -1e300,
                                   1e-320,
                                   -1.0,
                                   1e9};
    return values[static_cast<std::size_t>(random_.uniform_index(values.size()))];
  }
  builtin_interfaces::msg::Time stamp(double time) {
    if (is("clock_step")) time += size_;
    if (is("no_stamps") && random_.uniform() < 0.5) time = 0.0;
    return rclcpp::Time(static_cast<std::int64_t>(time * 1e9));
  }

  void send_imu(double time) {
    Imu message;
    message.header.stamp = stamp(time);
    message.angular_velocity.z = number(kTurnRate + kGyroNoise * random_.normal());
    message.linear_acceleration.y = kSpeed * kTurnRate;
    message.linear_acceleration.z = kGravity;
    if (is("held_back") && topic_ == 0) {
      held_imu_.push_back(message);
    } else {
      publish(message);
    }
    if (is("burst") && topic_ == 0) {
      for (int i = 0; i < 3; ++i) publish(message);
    }
  }

  void send_odometry(double time) {
    Odometry message;
    message.header.stamp = stamp(time);
    message.twist.twist.linear.x = number(kSpeed * (1.0 + 0.01 * random_.normal()));
    message.twist.twist.angular.z = number(kTurnRate + 0.01 * random_.normal());
    if (is("odometry") && random_.uniform() < 0.5) message.twist.twist.linear.x = size_ * size_;
    publish(message);
    if (is("burst") && topic_ == 1) {
      for (int i = 0; i < 30; ++i) publish(message);
    }
  }

  void send_fix(double time) {
    const Place place = truth(time);
    NavSatFix message;
    message.header.stamp = stamp(is("gnss_ahead") ? time + std::abs(size_) : time);
    const double jump = is("gnss_jump") ? 10.0 * size_ : 0.0;
    message.latitude = number((place.y + kFixNoise * random_.normal()) / kMetresPerDegree);
    message.longitude = number((place.x + jump + kFixNoise * random_.normal()) / kMetresPerDegree);
    if (is("held_back") && topic_ == 2) {
      held_fixes_.push_back(message);
    } else {
      publish(message);
    }
    if (is("burst") && topic_ == 2) {
      for (int i = 0; i < 100; ++i) publish(message);
    }
  }

  void publish(const Imu& message) { publish(0, *imu_, message); }
  void publish(const Odometry& message) { publish(1, *odometry_, message); }
  void publish(const NavSatFix& message) { publish(2, *fix_, message); }

  template <typename Publisher, typename M>
  void publish(int topic, Publisher& publisher, const M& message) {
    // Nobody can receive from a publisher that nobody has found yet.
    if (publisher.get_subscription_count() == 0) return;
    ++sent_[static_cast<std::size_t>(topic)];
    publisher.publish(message);
  }

  void send_bytes() {
    rclcpp::SerializedMessage bytes(64);
    auto& raw = bytes.get_rcl_serialized_message();
    raw.buffer_length = 4 + static_cast<std::size_t>(random_.uniform_index(60));
    raw.buffer[0] = 0;
    raw.buffer[1] = 1;
    raw.buffer[2] = raw.buffer[3] = 0;
    for (std::size_t i = 4; i < raw.buffer_length; ++i) {
      raw.buffer[i] = static_cast<std::uint8_t>(random_.bits());
    }
    publish_bytes(0, *imu_, bytes);
    publish_bytes(1, *odometry_, bytes);
    publish_bytes(2, *fix_, bytes);
  }
  template <typename Publisher>
  void publish_bytes(int topic, Publisher& publisher, const rclcpp::SerializedMessage& bytes) {
    ++sent_[static_cast<std::size_t>(topic)];
    publisher.publish(bytes);
  }

  void compare(const Odometry& message) {
    const double time = now().seconds();
    const double stamp = rclcpp::Time(message.header.stamp).seconds();
    if (std::abs(time - stamp) > kFresh) return;
    ++compared_;
    const Place place = truth(stamp);
    const double dx = message.pose.pose.position.x - place.x;
    const double dy = message.pose.pose.position.y - place.y;
    last_error_ = std::hypot(dx, dy);
    last_off_ = std::max(std::abs(dx) / std::sqrt(message.pose.covariance[0]),
                         std::abs(dy) / std::sqrt(message.pose.covariance[7]));
    if (!std::isfinite(last_off_)) last_off_ = std::numeric_limits<double>::max();
    record().most_off = std::max(record().most_off, last_off_);
    if (last_off_ <= kHonest || named_) {
      off_since_ = std::numeric_limits<double>::infinity();
    } else {
      off_since_ = std::min(off_since_, time);
      if (time > off_since_ + kTimeToTell) record().silently_off += time - last_compared_;
    }
    last_compared_ = time;
  }

  void diagnose(const diagnostic_msgs::msg::DiagnosticArray& array) {
    bool named = false;
    bool own = false;
    for (const auto& status : array.status) {
      if (!status.name.starts_with("ovf: ")) continue;
      own = true;
      named = named || status.level >= DiagnosticStatus::WARN;
      for (const auto& each : status.values) {
        if (each.key.starts_with("messages"))
          totals_[status.name.substr(5) + " " + each.key] = each.value;
      }
    }
    if (own) named_ = named;
  }

  rclcpp::Publisher<Imu>::SharedPtr imu_;
  rclcpp::Publisher<Odometry>::SharedPtr odometry_;
  rclcpp::Publisher<NavSatFix>::SharedPtr fix_;
  rclcpp::Subscription<Odometry>::SharedPtr odometry_in_;
  rclcpp::Subscription<diagnostic_msgs::msg::DiagnosticArray>::SharedPtr diagnostics_;

  ovf::RandomStream random_;
  pid_t estimator_;
  std::filesystem::path folder_;
  double begun_ = 0.0;

  int fault_ = -1;  // the last one
  bool active_ = false;
  int topic_ = 0;
  double size_ = 0.0;
  std::vector<Imu> held_imu_;
  std::vector<NavSatFix> held_fixes_;

  std::array<long, 3> sent_{};
  long compared_ = 0;
  double last_error_ = 0.0;
  double last_off_ = 0.0;
  double last_compared_ = 0.0;
  double off_since_ = std::numeric_limits<double>::infinity();
  bool named_ = false;
  std::map<std::string, Record> records_;
  std::map<std::string, std::string> totals_;
};

}  // namespace

int main(int argc, char** argv) {
  rclcpp::init(argc, argv);
  if (argc < 5) {
    std::fprintf(stderr, "usage: faulty_robot SECONDS SEED PID FOLDER\n");
    return 1;
  }
  const double seconds = std::atof(argv[1]);
  const auto robot = std::make_shared<FaultyRobot>(std::strtoull(argv[2], nullptr, 10),
                                                   std::atoi(argv[3]), argv[4]);
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(robot);
  while (rclcpp::ok() && !robot->connected()) executor.spin_once(std::chrono::milliseconds(50));
  robot->begin();
  const auto period = std::chrono::nanoseconds(1'000'000'000 / kRate);
  auto due = std::chrono::steady_clock::now();
  const auto steps = static_cast<long>(seconds * kRate);
  for (long step = 0; step < steps && rclcpp::ok(); ++step) {
    for (auto now = std::chrono::steady_clock::now(); now < due;
         now = std::chrono::steady_clock::now()) {
      executor.spin_once(due - now);
    }
    robot->step(step);
    executor.spin_some();
    // A sender that was held up goes on at its rate: a sensor does not catch up in a burst.
    due = std::max(due + period, std::chrono::steady_clock::now());
    if (step % (60 * kRate) == 60 * kRate - 1) robot->print(static_cast<double>(step + 1) / kRate);
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  while (rclcpp::ok() && std::chrono::steady_clock::now() < end) {
    executor.spin_once(std::chrono::milliseconds(10));
  }
  robot->print(seconds);
  rclcpp::shutdown();
  return 0;
}
