#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace ovf_ros {

/// A mutex that is given to those who wait in the order in which they came: a thread that locks it
/// again at once cannot keep the others out.
class FairMutex {
 public:
  void lock() {
    std::unique_lock lock(mutex_);
    const std::uint64_t mine = next_++;
    changed_.wait(lock, [&] { return serving_ == mine; });
  }
  void unlock() {
    const std::lock_guard lock(mutex_);
    ++serving_;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0;
  std::uint64_t serving_ = 0;
};

}  // namespace ovf_ros
