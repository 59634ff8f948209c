#include "ovf/evaluation/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <iostream>
#include <utility>

namespace ovf {
namespace {

constexpr double kRewriteInterval = 0.1;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

ProgressMode resolve(ProgressMode mode, const std::ostream& stream) {
  if (mode != ProgressMode::kAutomatic) return mode;
  const bool terminal = (&stream == &std::cout && isatty(STDOUT_FILENO) == 1) ||
                        (&stream == &std::cerr && isatty(STDERR_FILENO) == 1);
  return terminal ? ProgressMode::kTerminal : ProgressMode::kLines;
}

std::string duration_text(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string rate_text(std::size_t done, double seconds) {
  if (done == 0 || seconds <= 0.0) return "";
  const double rate = static_cast<double>(done) / seconds;
  if (rate >= 1e6) return fmt::format(", {:.1f} M/s", rate / 1e6);
  if (rate >= 1e4) return fmt::format(", {:.1f} k/s", rate / 1e3);
  if (rate >= 10.0) return fmt::format(", {:.0f}/s", rate);
  return fmt::format(", {:.2g}/s", rate);
}

}  // namespace

Progress::Progress(std::string label, std::size_t total, std::ostream& stream, ProgressMode mode,
                   std::function<double()> clock)
    : label_(std::move(label)),
      total_(total),
      stream_(stream),
      mode_(resolve(mode, stream)),
      clock_(clock ? std::move(clock) : steady_seconds),
      start_(clock_()),
      last_written_(start_) {}

Progress::~Progress() {
  const std::scoped_lock lock(mutex_);
  end("stopped after");
}

void Progress::advance(std::size_t steps) {
  const std::scoped_lock lock(mutex_);
  done_ += steps;
  if (ended_ || mode_ == ProgressMode::kSilent) return;
  if (mode_ == ProgressMode::kTerminal) {
    const double now = clock_();
    if (now - last_written_ < kRewriteInterval) return;
    last_written_ = now;
    write_line(status(now));
  } else if (total_ > 0) {
    // The last tenth is the line that finish() writes.
    const std::size_t tenths = 10 * done_ / total_;
    if (tenths <= tenths_written_ || tenths >= 10) return;
    tenths_written_ = tenths;
    write_line(status(clock_()));
  }
}

void Progress::finish() {
  const std::scoped_lock lock(mutex_);
  end("done in");
}

std::string Progress::status(double now) const {
  const double elapsed = now - start_;
  std::string text = label_ + ": ";
  if (total_ == 0) return text + fmt::format("{}{}", done_, rate_text(done_, elapsed));
  text += fmt::format("{:3} % ({} of {}){}", 100 * done_ / total_, done_, total_,
                      rate_text(done_, elapsed));
  if (done_ > 0 && done_ < total_) {
    const double left = elapsed * static_cast<double>(total_ - done_) / static_cast<double>(done_);
    text += fmt::format(", {} left", duration_text(left));
  }
  return text;
}

void Progress::write_line(const std::string& text) {
  // On a terminal: back to the first column, and clear what is left of a longer line.
  if (mode_ == ProgressMode::kTerminal) {
    stream_ << '\r' << text << "\x1b[K" << std::flush;
  } else {
    stream_ << text << '\n' << std::flush;
  }
}

void Progress::end(const std::string& how) {
  if (ended_ || mode_ == ProgressMode::kSilent) return;
  ended_ = true;
  const double elapsed = clock_() - start_;
  const std::string count = done_ == total_ || total_ == 0 ? fmt::format("{}", done_)
                                                           : fmt::format("{} of {}", done_, total_);
  write_line(fmt::format("{}: {} {} {}{}", label_, count, how, duration_text(elapsed),
                         rate_text(done_, elapsed)));
  if (mode_ == ProgressMode::kTerminal) stream_ << '\n' << std::flush;
}

}  // namespace ovf
