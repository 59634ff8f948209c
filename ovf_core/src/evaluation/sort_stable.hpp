#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace ovf {

/// std::stable_sort for items that hold vectors of Eigen: its buffer does not keep their alignment
/// (GCC 12), so that indices are sorted instead.
template <typename Item, typename Less>
void sort_stable(std::vector<Item>& items, const Less& less) {
  if (std::is_sorted(items.begin(), items.end(), less)) return;
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return less(items[a], items[b]); });
  std::vector<Item> sorted;
  sorted.reserve(items.size());
  for (const std::size_t i : order) sorted.push_back(std::move(items[i]));
  items = std::move(sorted);
}

}  // namespace ovf
