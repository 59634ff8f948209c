#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <string>

namespace ovf {

/// How Progress writes: rewriting one line, a new line about every 10 %, or nothing. Automatic
/// rewrites on std::cout and std::cerr if they are terminals, and writes lines otherwise.
enum class ProgressMode { kAutomatic, kTerminal, kLines, kSilent };

/// Shows how far a long run is, how fast and how long it will still take. May be advanced from
/// several threads.
class Progress {
 public:
  /// total = 0: unknown, only a count is shown. The clock (seconds, never decreasing) can be
  /// replaced in tests.
  Progress(std::string label, std::size_t total, std::ostream& stream,
           ProgressMode mode = ProgressMode::kAutomatic, std::function<double()> clock = {});
  /// Ends the line with where the run stopped, if finish() was not reached.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance(std::size_t steps = 1);
  void finish();

 private:
  std::string status(double now) const;
  void write_line(const std::string& text);
  void end(const std::string& how);

  std::string label_;
  std::size_t total_;
  std::ostream& stream_;
  ProgressMode mode_;
  std::function<double()> clock_;
  double start_;
  double last_written_;
  std::size_t done_ = 0;
  std::size_t tenths_written_ = 0;
  bool ended_ = false;
  std::mutex mutex_;
};

}  // namespace ovf
