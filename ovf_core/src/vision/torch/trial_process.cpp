#include "vision/torch/trial_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <fstream>
#include <new>
#include <string_view>
#include <system_error>

namespace ovf {
namespace {

constexpr char kPassed = '+';
constexpr char kRefused = '-';
constexpr std::size_t kLongestAnswer = 4000;
constexpr int kClockFactor = 4;

std::size_t bytes_in_use() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  file >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void limit(int resource, std::size_t value) {
  const rlimit both = {static_cast<rlim_t>(value), static_cast<rlim_t>(value)};
  setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

void answer(int pipe, char kind, std::string_view text) {
  const std::string all = kind + std::string(text.substr(0, kLongestAnswer));
  // Fits into the pipe, so that it is written at once.
  if (write(pipe, all.data(), all.size()) < 0) _exit(1);
  _exit(0);
}

[[noreturn]] void be_child(const TrialLimits& limits, int pipe, const std::function<void()>& work) {
  for (const int signal : {SIGINT, SIGTERM, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGXCPU}) {
    std::signal(signal, SIG_DFL);
  }
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CPU, static_cast<std::size_t>(limits.seconds));
#ifndef __SANITIZE_ADDRESS__
  limit(RLIMIT_AS, bytes_in_use() + limits.memory);
#endif
  try {
    work();
    answer(pipe, kPassed, "");
  } catch (const std::bad_alloc&) {
    answer(pipe, kRefused, fmt::format("takes more than {} MB of memory", limits.memory >> 20U));
  } catch (const std::exception& error) {
    answer(pipe, kRefused, error.what());
  } catch (...) {
    answer(pipe, kRefused, "failed without saying why");
  }
  _exit(1);
}

/// What the child says until it ends or the time is over.
std::string listen(int pipe, std::chrono::steady_clock::time_point end) {
  std::string said;
  std::array<char, 1024> buffer = {};
  while (said.size() <= kLongestAnswer) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd wait = {pipe, POLLIN, 0};
    const int ready = poll(&wait, 1, std::max(0, static_cast<int>(left.count())));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) break;
    const ssize_t count = read(pipe, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    said.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return said;
}

std::string death_of(int status, const TrialLimits& limits) {
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)) {
    return fmt::format("was not done after {} seconds", limits.seconds);
  }
  if (WIFSIGNALED(status)) return fmt::format("crashed ({})", strsignal(WTERMSIG(status)));
  return fmt::format("ended with code {}", WEXITSTATUS(status));
}

}  // namespace

std::string try_in_process(const TrialLimits& limits, const std::function<void()>& work) {
  std::array<int, 2> ends = {};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return fmt::format("no pipe for the trial ({})", std::generic_category().message(errno));
  }
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    be_child(limits, ends[1], work);
  }
  close(ends[1]);
  if (child < 0) {
    const int reason = errno;
    close(ends[0]);
    return fmt::format("no process for the trial ({})", std::generic_category().message(reason));
  }
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::seconds(kClockFactor * limits.seconds);
  const std::string said = listen(ends[0], end);
  close(ends[0]);
  // Done, dead or out of time: in no case is it needed any more.
  kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (said == std::string(1, kPassed)) return {};
  if (!said.empty() && said.front() == kRefused) return said.substr(1);
  return death_of(status, limits);
}

}  // namespace ovf
