#include "ovf/math/log_histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ovf/math/random.hpp"

namespace ovf {
namespace {

TEST(LogHistogram, HasTheQuantilesToOnePerCent) {
  RandomStream random(1);
  LogHistogram histogram(1e-7, 100.0);
  std::vector<double> values;
  for (int i = 0; i < 20000; ++i) {
    values.push_back(1e-5 * std::exp(random.normal()));
    histogram.add(values.back());
  }
  std::sort(values.begin(), values.end());
  for (const double share : {0.1, 0.5, 0.95, 0.99}) {
    const double exact = values[static_cast<std::size_t>(share * 20000.0) - 1];
    EXPECT_NEAR(histogram.quantile(share) / exact, 1.0, 0.011);
  }
  EXPECT_EQ(histogram.quantile(1.0), values.back());
  EXPECT_EQ(histogram.largest(), values.back());
}

TEST(LogHistogram, JoinsBinsWithoutLosingAny) {
  LogHistogram histogram(1e-3, 1e3);
  for (const double value : {0.0, 1e-9, 0.5, 0.6, 7.0, 1e9}) histogram.add(value);
  std::uint64_t sum = 0;
  const auto bins = histogram.bins(10);
  EXPECT_LE(bins.size(), 10u);
  for (const auto& bin : bins) sum += bin.count;
  EXPECT_EQ(sum, 6u);
  EXPECT_TRUE(LogHistogram(1e-3, 1e3).bins(10).empty());
  EXPECT_EQ(LogHistogram(1e-3, 1e3).quantile(0.5), 0.0);
}

}  // namespace
}  // namespace ovf
