#pragma once

#include <functional>

namespace ovf {

/// Calls work(0), ..., work(count - 1), each once, on up to `threads` threads; 0: as many as the
/// machine has cores. Throws what the first of them, by number, has thrown, after all have ended.
void parallel_for(int count, int threads, const std::function<void(int)>& work);

}  // namespace ovf
