#include "ovf/evaluation/downsample.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ovf {
namespace {

using Column = std::vector<double>;

// Position of each point along the axis in [0, 1]: the place on a log axis, else the index.
Column positions(const Series& series, bool log_x) {
  const std::size_t size = series.x.size();
  Column position(size);
  if (log_x && series.x.front() > 0.0 && series.x.front() < series.x.back() &&
      std::isfinite(series.x.back()) && std::is_sorted(series.x.begin(), series.x.end())) {
    const double range = std::log(series.x.back() / series.x.front());
    for (std::size_t i = 0; i < size; ++i) {
      position[i] = std::log(series.x[i] / series.x.front()) / range;
    }
  } else {
    for (std::size_t i = 0; i < size; ++i) {
      position[i] = static_cast<double>(i) / static_cast<double>(size - 1);
    }
  }
  return position;
}

std::vector<const Column*> extreme_columns(const Series& series) {
  std::vector<const Column*> columns = {&series.y};
  if (series.style == "band") columns.insert(columns.end(), {&series.lower, &series.upper});
  // A path that turns back has extremes in x too.
  if (!std::is_sorted(series.x.begin(), series.x.end())) columns.push_back(&series.x);
  return columns;
}

// Keeps the extremes of columns on [begin, end) and the first point that is a gap in one of them.
void keep_extremes(const std::vector<const Column*>& columns, std::size_t begin, std::size_t end,
                   std::vector<bool>& kept) {
  bool gap_kept = false;
  for (const Column* column : columns) {
    std::size_t low = end;
    std::size_t high = end;
    for (std::size_t i = begin; i < end; ++i) {
      const double value = (*column)[i];
      if (!std::isfinite(value)) {
        if (!gap_kept) kept[i] = true;
        gap_kept = true;
        continue;
      }
      if (low == end || value < (*column)[low]) low = i;
      if (high == end || value > (*column)[high]) high = i;
    }
    if (low != end) kept[low] = kept[high] = true;
  }
}

Column select(const Column& column, const std::vector<bool>& kept) {
  Column selected;
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (kept[i]) selected.push_back(column[i]);
  }
  return selected;
}

}  // namespace

Series downsampled(const Series& series, std::size_t max_points, bool log_x) {
  const std::size_t size = series.x.size();
  if (size <= std::max<std::size_t>(max_points, 2)) return series;

  const std::vector<const Column*> columns = extreme_columns(series);
  // Extremes alone would hollow out a cloud: it gets a quarter of the budget for them and evenly
  // spaced points for the rest.
  const bool is_cloud = series.style == "points";
  const std::size_t extremes = is_cloud ? max_points / 4 : max_points;
  const auto intervals =
      static_cast<double>(std::max<std::size_t>(1, extremes / (2 * columns.size())));
  const Column position = positions(series, log_x);
  const auto interval_of = [&](std::size_t i) { return std::floor(position[i] * intervals); };

  std::vector<bool> kept(size, false);
  kept.front() = kept.back() = true;
  for (std::size_t begin = 0; begin < size;) {
    std::size_t end = begin + 1;
    while (end < size && interval_of(end) == interval_of(begin)) ++end;
    keep_extremes(columns, begin, end, kept);
    begin = end;
  }
  if (is_cloud) {
    const std::size_t stride = size / std::max<std::size_t>(1, max_points - extremes) + 1;
    for (std::size_t i = 0; i < size; i += stride) kept[i] = true;
  }
  return {series.name,  select(series.x, kept),     select(series.y, kept),
          series.style, select(series.lower, kept), select(series.upper, kept)};
}

}  // namespace ovf
