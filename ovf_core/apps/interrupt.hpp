#pragma once

#include <csignal>
#include <stdexcept>
#include <string>

/// Ended by SIGINT or SIGTERM, with what was done until then put in order.
class Interrupted : public std::runtime_error {
 public:
  Interrupted(int signal, const std::string& what) : std::runtime_error(what), signal_(signal) {}

  int exit_code() const { return 128 + signal_; }

 private:
  int signal_;
};

/// While it lives, the first SIGINT or SIGTERM is only taken note of, so that the command can end
/// in order; the second one ends the program.
class InterruptWatch {
 public:
  InterruptWatch() {
    seen() = 0;
    struct sigaction action = {};
    action.sa_handler = [](int signal) { seen() = signal; };
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    sigaction(SIGINT, &action, &before_int_);
    sigaction(SIGTERM, &action, &before_term_);
  }
  ~InterruptWatch() {
    sigaction(SIGINT, &before_int_, nullptr);
    sigaction(SIGTERM, &before_term_, nullptr);
  }
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  /// 0: none.
  static int signal() { return seen(); }
  static const char* name() { return seen() == SIGTERM ? "SIGTERM" : "SIGINT"; }

 private:
  static volatile std::sig_atomic_t& seen() {
    static volatile std::sig_atomic_t signal = 0;
    return signal;
  }

  struct sigaction before_int_ = {};
  struct sigaction before_term_ = {};
};
