#pragma once

#include <array>
#include <optional>
#include <vector>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf/estimator/messages.hpp"

namespace ovf {

/// Judges the stamps of several inputs by each other and, where it is known, by the time at which
/// their messages were received. No input alone is believed: neither when it is ahead of the others
/// nor when it says that the clock was set back.
class InputClocks {
 public:
  InputClocks(const StreamConfig& config, int inputs);

  struct Verdict {
    Stamp stamp = 0;              ///< of the message, corrected if that is asked for
    double ahead = 0.0;           ///< seconds by which it is ahead of its time: more than allowed
    bool set_back = false;        ///< the inputs agree that the clock was set back
    bool offset_changed = false;  ///< offset() has become known, or another
  };
  /// A message of an input, while the belief is at `newest` (none: there is no belief).
  Verdict judge(int input, Stamp stamp, std::optional<Stamp> newest, std::optional<Stamp> received);
  /// Seconds by which the clock of an input is ahead of the others; 0: it is not.
  double offset(int input) const { return inputs_[static_cast<std::size_t>(input)].offset; }

 private:
  static constexpr int kKept = 8;

  struct Input {
    bool heard = false;
    bool of_receiver = false;  // one of its last stamps was of the receiver's clock, roughly
    std::array<double, kKept> ages{};  // of its last messages: stamps less times of receipt
    long count = 0;
    double typical = 0.0;  // of these, where most are alike
    bool steady = false;
    double offset = 0.0;
  };

  void see_age(Input& input, double age);
  /// Whether the time of receipt is of the clock that stamps are of: not where a recording is
  /// played while the clock goes on.
  bool trusts_receipt() const;
  void update_reference();
  /// True if it is known now, or another.
  bool update_offset(Input& input) const;
  double too_far_ahead(Stamp stamp, std::optional<Stamp> newest, std::optional<Stamp> received);
  bool is_set_back(int input, Stamp stamp, Stamp newest, std::optional<Stamp> received);

  StreamConfig config_;
  std::vector<Input> inputs_;
  // By how much the stamps of most inputs are ahead of their receipt; 0 if they do not agree.
  double reference_ = 0.0;
  bool agreed_ = false;
  bool compared_ = false;  // there are several inputs with constant delays
  // Where times of receipt say nothing: messages in a row that are older than clock_jump and their
  // inputs, and a stamp that was too far ahead, to be confirmed by the next message.
  int late_in_row_ = 0;
  int late_input_ = -1;
  bool several_late_ = false;
  std::optional<Stamp> pending_;
};

}  // namespace ovf
