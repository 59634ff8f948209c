#pragma once

#include <chrono>
#include <map>
#include <string>

namespace ovf_ros {

/// Says when a line is worth logging: at first, when it says something new, and now and then.
class LogLimiter {
 public:
  bool is_due(const std::string& key, const std::string& text = {}) {
    const auto now = std::chrono::steady_clock::now();
    const auto [found, is_new] = lines_.try_emplace(key, Line{text, now});
    if (is_new) return true;
    Line& line = found->second;
    if (line.text == text && now - line.logged < kPeriod) return false;
    line = {text, now};
    return true;
  }
  /// What is over is worth a line when it comes back.
  void forget(const std::string& key) { lines_.erase(key); }

 private:
  static constexpr std::chrono::seconds kPeriod{30};
  struct Line {
    std::string text;
    std::chrono::steady_clock::time_point logged;
  };
  std::map<std::string, Line> lines_;
};

}  // namespace ovf_ros
