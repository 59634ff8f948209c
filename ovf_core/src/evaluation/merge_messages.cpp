#include "evaluation/merge_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ovf {
namespace {

constexpr auto kEarlier = [](const auto& a, const auto& b) { return a.stamp < b.stamp; };

// Whether b, which follows a, should come before it.
bool is_misplaced(const Message& a, const Message& b) {
  if (stamp_of(a) != stamp_of(b)) return stamp_of(b) < stamp_of(a);
  return std::holds_alternative<Measurement>(a) && std::holds_alternative<Control>(b);
}

}  // namespace

std::vector<Message> merge_messages(std::vector<Control> controls,
                                    std::vector<Measurement> measurements) {
  std::stable_sort(controls.begin(), controls.end(), kEarlier);
  std::stable_sort(measurements.begin(), measurements.end(), kEarlier);
  std::vector<Message> messages;
  messages.reserve(controls.size() + measurements.size());
  auto control = controls.begin();
  for (Measurement& measurement : measurements) {
    for (; control != controls.end() && control->stamp <= measurement.stamp; ++control) {
      messages.emplace_back(std::move(*control));
    }
    messages.emplace_back(std::move(measurement));
  }
  for (; control != controls.end(); ++control) messages.emplace_back(std::move(*control));
  return messages;
}

void sort_by_stamp(std::vector<TruePose>& truth) {
  std::stable_sort(truth.begin(), truth.end(), kEarlier);
}

void require_merged(const std::vector<Message>& messages) {
  const auto wrong = std::adjacent_find(messages.begin(), messages.end(), is_misplaced);
  if (wrong == messages.end()) return;
  throw std::invalid_argument(fmt::format(
      "message {} of the log (stamp {}) is out of place; expected the order of time, and controls "
      "before measurements of the same time",
      std::distance(messages.begin(), wrong) + 2, stamp_of(*(wrong + 1))));
}

}  // namespace ovf
