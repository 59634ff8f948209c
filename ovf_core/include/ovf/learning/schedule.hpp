#pragma once

#include <cmath>

#include "ovf/learning/learning_config.hpp"
#include "ovf/math/archive.hpp"

namespace ovf {

/// The rates of successive updates.
class Schedule {
 public:
  explicit Schedule(const ScheduleConfig& config) : config_(config) {}

  /// The rate of the next update.
  double rate() const {
    if (config_.scale == 0.0) return config_.rate;
    return config_.rate * config_.scale / (config_.scale + std::pow(updates_, config_.power));
  }
  /// It was made.
  void advance() { updates_ += 1.0; }
  double next() {
    const double now = rate();
    advance();
    return now;
  }
  void archive(Archive& archive) {
    archive.number("updates", updates_);
    archive.require(std::isfinite(updates_) && updates_ >= 0.0, "updates", "a number not below 0");
  }

 private:
  ScheduleConfig config_;
  double updates_ = 0.0;
};

}  // namespace ovf
