#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace ovf::mcap {

/// What was wrong with a file and could be got over. A file full of faults does not fill the
/// memory.
class Warnings {
 public:
  explicit Warnings(std::string file) : file_(std::move(file)) {}

  void add(const std::string& text) {
    constexpr std::size_t kMost = 100;
    if (list_.size() < kMost) list_.push_back(fmt::format("{}: {}", file_, text));
    if (list_.size() == kMost - 1) list_.push_back(fmt::format("{}: more is wrong", file_));
  }
  const std::vector<std::string>& list() const { return list_; }

 private:
  std::string file_;
  std::vector<std::string> list_ = {};
};

}  // namespace ovf::mcap
