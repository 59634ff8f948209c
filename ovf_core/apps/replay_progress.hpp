#pragma once

#include <cstddef>
#include <iostream>
#include <memory>

#include "ovf/evaluation/progress.hpp"

/// How much of a recording is through, in tenths of its seconds.
class ReplayProgress {
 public:
  void show(double done, double all) {
    const auto tenths = [](double seconds) { return static_cast<std::size_t>(10.0 * seconds); };
    if (!progress_) progress_ = std::make_unique<ovf::Progress>("replay", tenths(all), std::cerr);
    if (done <= shown_) return;
    progress_->advance(tenths(done) - tenths(shown_));
    shown_ = done;
  }
  void finish() {
    if (progress_) progress_->finish();
  }

 private:
  std::unique_ptr<ovf::Progress> progress_;
  double shown_ = 0.0;
};
