#include "ovf/estimator/input_clocks.hpp"

#include <algorithm>
#include <cmath>

namespace ovf {
namespace {

// Of an input's last messages so many must be alike.
constexpr int kAlike = 6;
// Where there is an only input, messages in a row that say that the clock was set back.
constexpr int kManyInRow = 10;
// Messages after which an input need not wait for the others.
constexpr long kMany = 100;
// An input that is late by less need not have another clock, in seconds.
constexpr double kMinLag = 2.0;

}  // namespace

InputClocks::InputClocks(const StreamConfig& config, int inputs)
    : config_(config), inputs_(static_cast<std::size_t>(inputs)) {}

InputClocks::Verdict InputClocks::judge(int index, Stamp stamp, std::optional<Stamp> newest,
                                        std::optional<Stamp> received) {
  Input& input = inputs_[static_cast<std::size_t>(index)];
  input.heard = true;
  Verdict verdict{.stamp = stamp};
  if (received) {
    see_age(input, seconds_between(*received, stamp));
    update_reference();
    verdict.offset_changed = update_offset(input);
    if (!trusts_receipt()) received.reset();
    if (config_.correct_clock_offsets) {
      verdict.stamp -= static_cast<Stamp>(input.offset / kSecondsPerNanosecond);
    }
  }
  verdict.ahead = too_far_ahead(verdict.stamp, newest, received);
  verdict.set_back =
      verdict.ahead == 0.0 && newest && is_set_back(index, verdict.stamp, *newest, received);
  return verdict;
}

void InputClocks::see_age(Input& input, double age) {
  input.ages[static_cast<std::size_t>(input.count % kKept)] = age;
  ++input.count;
  const auto known = static_cast<std::ptrdiff_t>(std::min<long>(input.count, kKept));
  input.of_receiver = std::any_of(input.ages.begin(), input.ages.begin() + known,
                                  [this](double a) { return std::abs(a) <= config_.clock_jump; });
  input.steady = false;
  if (input.count < kKept) return;
  std::array<double, kKept> sorted = input.ages;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i + kAlike <= sorted.size(); ++i) {
    const double latest = sorted[i + kAlike - 1];
    if (latest - sorted[i] > config_.ahead_tolerance) continue;
    input.steady = true;
    input.typical = latest;  // with the least delay
  }
}

bool InputClocks::trusts_receipt() const {
  return std::any_of(inputs_.begin(), inputs_.end(),
                     [](const Input& input) { return input.of_receiver; });
}

// Most of the steady inputs, at least two of them, or the only one that there is.
void InputClocks::update_reference() {
  int steady = 0;
  int most = 0;
  reference_ = 0.0;
  for (const Input& candidate : inputs_) {
    if (!candidate.steady) continue;
    ++steady;
    int alike = 0;
    for (const Input& other : inputs_) {
      const double behind = candidate.typical - other.typical;
      if (other.steady && behind >= 0.0 && behind <= config_.ahead_tolerance) ++alike;
    }
    if (alike <= most) continue;
    most = alike;
    reference_ = candidate.typical;
  }
  agreed_ = 2 * most > steady && (most > 1 || inputs_.size() == 1);
  compared_ = steady > 1;
  if (!agreed_) reference_ = 0.0;
}

bool InputClocks::update_offset(Input& input) const {
  if (!input.steady) return false;
  // The clock of the receiver alone says nothing before the other inputs do.
  if (!agreed_ && !compared_ && input.count < kMany) return false;
  const double ahead = input.typical - reference_;
  if (!agreed_ && (ahead < 0.0 || !trusts_receipt())) return false;
  const bool off = ahead > config_.ahead_tolerance || ahead < -kMinLag;
  const double offset = off ? ahead : 0.0;
  if (std::abs(offset - input.offset) <= config_.ahead_tolerance) return false;
  input.offset = offset;
  return true;
}

double InputClocks::too_far_ahead(Stamp stamp, std::optional<Stamp> newest,
                                  std::optional<Stamp> received) {
  if (received) {
    const double ahead = seconds_between(*received, stamp) - reference_;
    return ahead > config_.ahead_tolerance ? ahead : 0.0;
  }
  if (!newest) return 0.0;
  const double ahead = seconds_between(*newest, stamp);
  const bool far = ahead > config_.longest_gap;
  const bool confirmed =
      far && pending_ && std::abs(seconds_between(*pending_, stamp)) <= config_.clock_jump;
  pending_.reset();
  if (!far || confirmed) return 0.0;
  pending_ = stamp;
  return ahead;
}

bool InputClocks::is_set_back(int input, Stamp stamp, Stamp newest, std::optional<Stamp> received) {
  if (seconds_between(stamp, newest) <= config_.clock_jump) {
    late_in_row_ = 0;
    several_late_ = false;
    return false;
  }
  if (received) {
    // Then the belief is ahead of the present, whatever this message says.
    return seconds_between(*received, newest) - reference_ > config_.clock_jump;
  }
  several_late_ = several_late_ || (late_in_row_ > 0 && late_input_ != input);
  late_input_ = input;
  ++late_in_row_;
  const auto heard =
      std::count_if(inputs_.begin(), inputs_.end(), [](const Input& each) { return each.heard; });
  return several_late_ || (heard == 1 && late_in_row_ >= kManyInRow);
}

}  // namespace ovf
