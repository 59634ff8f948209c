#include "ovf/evaluation/downsample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ovf {
namespace {

Series wave(std::size_t size) {
  Series series{"wave", {}, {}};
  for (std::size_t i = 0; i < size; ++i) {
    series.x.push_back(static_cast<double>(i + 1));
    series.y.push_back(std::sin(0.01 * static_cast<double>(i)));
  }
  return series;
}

bool contains(const std::vector<double>& values, double value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

TEST(Downsample, ReturnsAShortSeriesUnchanged) {
  const Series series = wave(2000);
  EXPECT_EQ(downsampled(series, 2000).y, series.y);
  EXPECT_TRUE(downsampled(Series{}, 2000).x.empty());
}

TEST(Downsample, KeepsExtremesAndEnds) {
  Series series = wave(100'000);
  series.y[33'333] = 5.0;
  series.y[33'334] = -6.0;
  const Series drawn = downsampled(series, 2000);
  EXPECT_LE(drawn.x.size(), 2002U);
  EXPECT_EQ(drawn.x.size(), drawn.y.size());
  EXPECT_TRUE(contains(drawn.y, 5.0));
  EXPECT_TRUE(contains(drawn.y, -6.0));
  EXPECT_EQ(drawn.x.front(), 1.0);
  EXPECT_EQ(drawn.x.back(), 100'000.0);
  EXPECT_TRUE(std::is_sorted(drawn.x.begin(), drawn.x.end()));
}

TEST(Downsample, KeepsTheExtremesOfABand) {
  Series series = wave(50'000);
  series.style = "band";
  series.lower = series.upper = series.y;
  series.lower[1234] = -9.0;
  series.upper[4321] = 9.0;
  const Series drawn = downsampled(series, 2000);
  EXPECT_LE(drawn.x.size(), 2002U);
  EXPECT_EQ(drawn.lower.size(), drawn.x.size());
  EXPECT_EQ(drawn.upper.size(), drawn.x.size());
  EXPECT_TRUE(contains(drawn.lower, -9.0));
  EXPECT_TRUE(contains(drawn.upper, 9.0));
}

TEST(Downsample, KeepsGaps) {
  Series series = wave(50'000);
  series.y[20'000] = std::nan("");
  const Series drawn = downsampled(series, 2000);
  EXPECT_TRUE(std::any_of(drawn.y.begin(), drawn.y.end(), [](double y) { return std::isnan(y); }));
}

TEST(Downsample, KeepsTheFirstDecadesOfALogAxis) {
  const Series drawn = downsampled(wave(1'000'000), 2000, true);
  for (int x = 1; x <= 20; ++x) EXPECT_TRUE(contains(drawn.x, x)) << x;
}

TEST(Downsample, KeepsTheWidthOfAPathThatTurnsBack) {
  Series path{"path", {}, {}};
  for (int i = 0; i < 20'000; ++i) {
    path.x.push_back(i == 7'777 ? 3.0 : std::cos(0.001 * i));
    path.y.push_back(std::sin(0.001 * i));
  }
  EXPECT_TRUE(contains(downsampled(path, 2000).x, 3.0));
}

TEST(Downsample, KeepsTheInsideOfACloud) {
  Series cloud{"cloud", {}, {}, "points"};
  for (int i = 0; i < 100'000; ++i) {
    cloud.x.push_back(i);
    cloud.y.push_back(i == 5'555 ? 2.0 : static_cast<double>((i * 7919L) % 1000) / 1000.0);
  }
  const Series drawn = downsampled(cloud, 2000);
  EXPECT_LE(drawn.x.size(), 2100U);
  EXPECT_TRUE(contains(drawn.y, 2.0));
  const auto inside =
      std::count_if(drawn.y.begin(), drawn.y.end(), [](double y) { return y > 0.1 && y < 0.9; });
  EXPECT_GT(inside, static_cast<long>(drawn.y.size() / 2));
}

}  // namespace
}  // namespace ovf
