#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>

#include "ovf/estimator/messages.hpp"

namespace ovf_ros {

/// What came from one sensor, or as control, in the last seconds, and what became of it.
class InputCounts {
 public:
  void received(ovf::Stamp now) {
    ++total_.received;
    last_ = now;
    has_last_ = true;
  }
  void used() { ++total_.used; }
  void unused(const std::string& reason) { ++total_.unused[reason]; }

  struct Counts {
    long received = 0;
    long used = 0;
    std::map<std::string, long> unused = {};
  };
  struct Summary {
    double rate = 0.0;     ///< messages per second
    double silence = 0.0;  ///< seconds since the last one, or since `start` if none came
    Counts counts;
    std::string main_reason;  ///< for most of what was not used
    long main_count = 0;
  };

  /// All since `start`.
  const Counts& total() const { return total_; }

  /// Forgets the past; silences count from now on.
  void start(ovf::Stamp now);
  /// To be called regularly: looks back to the calls of the last seconds.
  Summary summary(ovf::Stamp now);

 private:
  Counts total_;
  ovf::Stamp last_ = 0;
  bool has_last_ = false;
  ovf::Stamp started_ = 0;
  std::deque<std::pair<ovf::Stamp, Counts>> past_;
};

}  // namespace ovf_ros
