#include "evaluation/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace ovf {

void parallel_for(int count, int threads, const std::function<void(int)>& work) {
  if (threads < 1) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::atomic<int> next = 0;
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(std::max(count, 0)));
  const auto take = [&] {
    for (int i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        failures[static_cast<std::size_t>(i)] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (int i = 1; i < std::min(threads, count); ++i) others.emplace_back(take);
    take();
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace ovf
