#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "estimator/planar_case.hpp"

namespace ovf::test {

/// What is done to one message that is sent at time t; nothing in the result: it is lost.
using Tamper = std::function<std::vector<Message>(const Message& message, double t)>;

struct Attack {
  std::string name;
  Tamper tamper;
  double begin = 60.0;
  double end = 90.0;
};

struct AttackOutcome {
  double longest_silence = 0.0;  ///< seconds beyond 3.5 stated deviations without a warning
  double worst_silent = 0.0;     ///< most deviations off then
  double first_told = -1.0;
  int told = 0;
  int told_before = 0;  ///< before the attack
  bool is_back = true;  ///< ten seconds after its end, and from then on
  double error_at_end = 0.0;
  double worst_error = 0.0;
};

inline bool is_warning(EventKind kind) {
  return kind == EventKind::kSensorsContradict || kind == EventKind::kSensorSilent ||
         kind == EventKind::kRestarted || kind == EventKind::kClockOffset ||
         kind == EventKind::kGapCrossed;
}

/// A planar robot on a winding way of two minutes, with odometry at 10 Hz and the sensors of the
/// configuration: gps (0.3 m, 5 Hz), compass (0.05 rad, 5 Hz), gyro (0.01 rad/s, 20 Hz) and uwb
/// (a position, 0.1 m, 5 Hz).
class AttackedRobot {
 public:
  static constexpr double kLastWarning = 10.0;  ///< a warning counts for so long, in seconds
  static constexpr double kEnd = 125.0;

  AttackedRobot(const EstimatorConfig& config, Attack attack, std::uint64_t seed)
      : estimator(config), attack_(std::move(attack)), random_(seed, 83), z_(8, 1) {}

  AttackOutcome run() {
    for (int k = 1; 0.05 * k <= kEnd; ++k) {
      const double t = 0.05 * k;
      drive(0.05, t);
      random_.fill_normal(z_);
      if (k % 2 == 0) {
        send(Control{at_seconds(t),
                     Eigen::Vector2d(speed_ + 0.02 * z_(0, 0), turn_rate_ + 0.01 * z_(1, 0))},
             t);
      }
      measure("gyro", t, 3, Eigen::VectorXd::Constant(1, turn_rate_ + 0.01 * z_(2, 0)));
      if (k % 4 == 0) measure("gps", t, 1, place_ + 0.3 * z_.middleRows(3, 2));
      if (k % 4 == 1) {
        measure("compass", t, 1,
                Eigen::VectorXd::Constant(1, std::remainder(yaw_ + 0.05 * z_(5, 0), 2.0 * kPi)));
      }
      if (k % 4 == 2) measure("uwb", t, 2, place_ + 0.1 * z_.bottomRows(2));
      judge(t);
    }
    outcome_.error_at_end = error();
    return outcome_;
  }

  Estimator estimator;

 private:
  static constexpr double kPi = 3.14159265358979323846;

  void drive(double dt, double t) {
    const bool stands = t > 20.0 && t < 23.0;
    speed_ = stands ? 0.0 : 1.0 + 0.3 * std::sin(0.2 * t);
    turn_rate_ = stands ? 0.0 : 0.1 + 0.25 * std::sin(0.13 * t);
    const double mid = yaw_ + 0.5 * dt * turn_rate_;
    place_ += dt * speed_ * Eigen::Vector2d(std::cos(mid), std::sin(mid));
    yaw_ += dt * turn_rate_;
  }

  void measure(const char* name, double t, int order, const Eigen::VectorXd& y) {
    for (const SensorConfig& sensor : estimator.config().sensors) {
      if (sensor.name == name)
        send(Measurement{.stamp = at_seconds(t) + order, .sensor = name, .y = y}, t);
    }
  }

  void send(const Message& message, double t) {
    const bool attacked = t > attack_.begin && t <= attack_.end && attack_.tamper;
    for (const Message& sent :
         attacked ? attack_.tamper(message, t) : std::vector<Message>{message}) {
      const EstimatorResult& result = estimator.process(sent, at_seconds(t));
      const bool refused =
          result.outcome == Outcome::kAheadOfTime || result.outcome == Outcome::kTooOld;
      if (refused) last_told_ = t;
      for (const Event& event : result.events) {
        if (!is_warning(event.kind)) continue;
        if (event.kind == EventKind::kSensorsContradict)
          ++(t <= attack_.begin ? outcome_.told_before : outcome_.told);
        if (outcome_.first_told < 0.0 && t > attack_.begin) outcome_.first_told = t - attack_.begin;
        last_told_ = t;
      }
    }
  }

  double error() const { return (estimator.belief().mean.head<2>() - place_).norm(); }

  /// Largest of x, y and heading.
  double deviations_off() const {
    if (!estimator.initialised()) return 0.0;
    const Gaussian& belief = estimator.belief();
    const Eigen::VectorXd deviations = belief.factor.standard_deviations();
    Eigen::Vector3d off;
    off.head<2>() = belief.mean.head<2>() - place_;
    off[2] = std::remainder(belief.mean[2] - yaw_, 2.0 * kPi);
    return (off.array() / deviations.head<3>().array()).abs().maxCoeff();
  }

  void judge(double t) {
    // A belief is one of its own time.
    if (!estimator.initialised() || estimator.stamp() < at_seconds(t - 0.15)) return;
    const double off = deviations_off();
    // Chance takes well-stated beliefs beyond three deviations for a moment.
    const bool silent = off > 3.5 && t > last_told_ + kLastWarning;
    silent_since_ = silent ? std::min(silent_since_, t) : 1e9;
    if (silent) {
      outcome_.longest_silence = std::max(outcome_.longest_silence, t - silent_since_);
      outcome_.worst_silent = std::max(outcome_.worst_silent, off);
    }
    if (t > attack_.begin) outcome_.worst_error = std::max(outcome_.worst_error, error());
    if (t > attack_.end + 10.0) {
      off_since_ = off > 3.5 || error() > 2.0 ? std::min(off_since_, t) : 1e9;
      if (t - off_since_ > 2.0 || (t > kEnd - 0.1 && off_since_ < t)) outcome_.is_back = false;
    }
  }

  Attack attack_;
  RandomStream random_;
  Eigen::MatrixXd z_;
  Eigen::Vector2d place_ = Eigen::Vector2d::Zero();
  double yaw_ = 0.4;
  double speed_ = 0.0;
  double turn_rate_ = 0.0;
  double last_told_ = -1e9;
  double silent_since_ = 1e9;
  double off_since_ = 1e9;
  AttackOutcome outcome_;
};

// What can be done to messages.

inline Tamper of(const std::string& sensor,
                 std::function<Eigen::VectorXd(Eigen::VectorXd y, double t)> change) {
  return [=](const Message& message, double t) -> std::vector<Message> {
    Message changed = message;
    if (auto* m = std::get_if<Measurement>(&changed); m != nullptr && m->sensor == sensor)
      m->y = change(m->y, t);
    return {changed};
  };
}

inline Tamper of_control(std::function<Eigen::Vector2d(Eigen::Vector2d u, double t)> change) {
  return [=](const Message& message, double t) -> std::vector<Message> {
    Message changed = message;
    if (auto* c = std::get_if<Control>(&changed)) c->u = change(c->u, t);
    return {changed};
  };
}

inline Tamper silence(std::vector<std::string> names) {
  return [=](const Message& message, double) -> std::vector<Message> {
    const auto* m = std::get_if<Measurement>(&message);
    const std::string name = m != nullptr ? m->sensor : "odometry";
    if (std::find(names.begin(), names.end(), name) != names.end()) return {};
    return {message};
  };
}

inline Tamper stamps_of(const std::string& name, std::function<Stamp(Stamp, double t)> change) {
  return [=](const Message& message, double t) -> std::vector<Message> {
    Message changed = message;
    const auto* m = std::get_if<Measurement>(&message);
    if ((m != nullptr ? m->sensor : std::string("odometry")) != name) return {message};
    std::visit([&](auto& each) { each.stamp = change(each.stamp, t); }, changed);
    return {changed};
  };
}

/// Every n-th message of a sensor comes from elsewhere.
inline Tamper stray(const std::string& sensor, int every, const Eigen::VectorXd& away) {
  auto count = std::make_shared<int>(0);
  return of(sensor, [=](Eigen::VectorXd y, double) {
    return ++*count % every == 0 ? Eigen::VectorXd(y + away) : y;
  });
}

inline Tamper frozen(const std::string& sensor) {
  auto first = std::make_shared<Eigen::VectorXd>();
  return of(sensor, [=](Eigen::VectorXd y, double) {
    if (first->size() == 0) *first = y;
    return *first;
  });
}

}  // namespace ovf::test
