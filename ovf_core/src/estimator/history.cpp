#include "ovf/estimator/history.hpp"

#include <algorithm>
#include <utility>

namespace ovf {
namespace {

bool same(const Message& a, const Message& b) {
  if (a.index() != b.index()) return false;
  if (const auto* control = std::get_if<Control>(&a)) {
    const auto& other = std::get<Control>(b);
    return control->u.size() == other.u.size() && control->u == other.u;
  }
  const auto& left = std::get<Measurement>(a);
  const auto& right = std::get<Measurement>(b);
  return left.sensor == right.sensor && left.target == right.target &&
         left.y.size() == right.y.size() && left.y == right.y;
}

}  // namespace

bool History::contains(const Message& message) const {
  const Stamp stamp = stamp_of(message);
  for (std::size_t i = first_after(stamp); i-- > 0 && this->stamp(i) == stamp;) {
    if (same(entries_[i].message, message)) return true;
  }
  return false;
}

std::size_t History::first_after(Stamp stamp) const {
  std::size_t i = entries_.size();
  while (i > 0 && this->stamp(i - 1) > stamp) --i;
  return i;
}

std::size_t History::insert(std::size_t place, const Message& message) {
  Entry entry;
  if (entries_.size() == capacity_) {
    entry = std::move(entries_.front());
    entries_.erase(entries_.begin());
    if (place > 0) --place;
  }
  entry.message = message;
  entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(place), std::move(entry));
  return place;
}

}  // namespace ovf
