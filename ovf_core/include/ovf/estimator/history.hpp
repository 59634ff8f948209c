#pragma once

#include <vector>

#include "ovf/estimator/messages.hpp"
#include "ovf/math/archive.hpp"

namespace ovf {

/// The last messages in the order of their stamps, each with the estimator's state before it.
class History {
 public:
  struct Entry {
    Message message;
    Archive::Bytes before;
  };

  explicit History(int capacity) : capacity_(static_cast<std::size_t>(capacity)) {}

  std::size_t size() const { return entries_.size(); }
  Entry& entry(std::size_t i) { return entries_[i]; }
  const Entry& entry(std::size_t i) const { return entries_[i]; }
  Stamp stamp(std::size_t i) const { return stamp_of(entries_[i].message); }
  void clear() { entries_.clear(); }

  /// Whether the same message is there already.
  bool contains(const Message& message) const;
  /// The first entry with a later stamp; size() if there is none.
  std::size_t first_after(Stamp stamp) const;
  /// Puts a message at this place; when full, the oldest goes. Returns the place it then has. The
  /// bytes of an entry that went are reused: allocates nothing in the steady state.
  std::size_t insert(std::size_t place, const Message& message);

 private:
  std::size_t capacity_;
  std::vector<Entry> entries_;
};

}  // namespace ovf
