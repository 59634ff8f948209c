#include "ovf/math/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace ovf {
namespace {

constexpr int kDraws = 2'000'000;
// Every statistic below is asymptotically normal; five standard errors are exceeded once in two
// million seeds, and the seeds are fixed.
constexpr double kErrors = 5.0;
constexpr double kZigguratTail = 3.442619855899;

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

const std::vector<double>& normal_draws() {
  static const std::vector<double> draws = [] {
    std::vector<double> values(kDraws);
    RandomStream random(2024);
    for (double& value : values) value = random.normal();
    return values;
  }();
  return draws;
}

double moment(int order) {
  double sum = 0.0;
  for (const double x : normal_draws()) sum += std::pow(x, order);
  return sum / kDraws;
}

TEST(RandomStream, GivesBitIdenticalDrawsForTheSameSeed) {
  RandomStream a(17, 3), b(17, 3);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(a.bits(), b.bits());
    EXPECT_EQ(a.uniform(), b.uniform());
    EXPECT_EQ(a.normal(), b.normal());
    EXPECT_EQ(a.uniform_index(1000), b.uniform_index(1000));
  }
}

TEST(RandomStream, GivesUnrelatedDrawsForDifferentSeedsAndStreams) {
  const std::vector<RandomStream> others{RandomStream(17, 1), RandomStream(18, 0),
                                         RandomStream(0, 17), RandomStream(17, 2)};
  for (RandomStream other : others) {
    RandomStream reference(17, 0);
    int equal = 0;
    double product = 0.0;
    constexpr int kPairs = 20'000;
    for (int i = 0; i < kPairs; ++i) {
      const double x = reference.normal();
      const double y = other.normal();
      equal += x == y ? 1 : 0;
      product += x * y;
    }
    EXPECT_EQ(equal, 0);
    EXPECT_NEAR(product / kPairs, 0.0, kErrors / std::sqrt(kPairs));
  }
}

// The bits were computed independently (splitmix64 and xoshiro256++ in another language); the
// normals were recorded. Recorded results of every experiment depend on these numbers.
TEST(RandomStream, KeepsItsFirstDraws) {
  RandomStream zero(1), one(1, 1), other(42, 7);
  for (const std::uint64_t bits : {0x704560ced7cc0501ULL, 0x4eef90036c89c53aULL,
                                   0xdce05af2ba1364d7ULL, 0xe019c82160dbbf4cULL}) {
    EXPECT_EQ(zero.bits(), bits);
  }
  for (const std::uint64_t bits : {0xd33cac18ac5184afULL, 0xda0fb9f6b5dac101ULL,
                                   0x12c315b4c0a2cf07ULL, 0xfca296ff508feb7bULL}) {
    EXPECT_EQ(one.bits(), bits);
  }
  EXPECT_EQ(other.uniform(), static_cast<double>(0xf1e8e70c151bddd1ULL >> 11) / 9007199254740992.0);

  RandomStream normals(42, 7);
  for (const double x : {1.160582073194409, 0.33819584741706871, 0.17983740000073575,
                         -1.4073681438033552, -0.99846426103985841}) {
    EXPECT_DOUBLE_EQ(normals.normal(), x);
  }
}

TEST(RandomStream, DrawsUniformsOnTheHalfOpenUnitInterval) {
  RandomStream random(5);
  double sum = 0.0, squares = 0.0;
  constexpr int kUniforms = 500'000;
  for (int i = 0; i < kUniforms; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / kUniforms, 0.5, kErrors * std::sqrt(1.0 / 12.0 / kUniforms));
  // Var u^2 = 1/5 - 1/9.
  EXPECT_NEAR(squares / kUniforms, 1.0 / 3.0, kErrors * std::sqrt(4.0 / 45.0 / kUniforms));
}

TEST(RandomStream, DrawsEveryIndexEquallyOften) {
  RandomStream random(6);
  constexpr int kIndices = 350'000;
  std::array<int, 7> counts{};
  for (int i = 0; i < kIndices; ++i) {
    const int index = random.uniform_index(7);
    ASSERT_GE(index, 0);
    ASSERT_LT(index, 7);
    ++counts[static_cast<std::size_t>(index)];
  }
  const double deviation = std::sqrt(kIndices / 7.0 * 6.0 / 7.0);
  for (const int count : counts) EXPECT_NEAR(count, kIndices / 7.0, kErrors * deviation);
}

TEST(RandomStream, KeepsIndicesInRangeForTheSmallestAndTheLargestCount) {
  RandomStream random(7);
  constexpr int kLargest = std::numeric_limits<int>::max();
  int largest_seen = 0;
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_EQ(random.uniform_index(1), 0);
    const int index = random.uniform_index(kLargest);
    ASSERT_GE(index, 0);
    ASSERT_LT(index, kLargest);
    largest_seen = std::max(largest_seen, index);
  }
  EXPECT_GT(largest_seen, kLargest - kLargest / 500);
}

TEST(RandomStream, MatchesTheNormalMomentsToFourthOrder) {
  // Var x^k = E x^2k - (E x^k)^2: 1, 2, 15, 96.
  const double scale = kErrors / std::sqrt(static_cast<double>(kDraws));
  EXPECT_NEAR(moment(1), 0.0, scale);
  EXPECT_NEAR(moment(2), 1.0, scale * std::sqrt(2.0));
  EXPECT_NEAR(moment(3), 0.0, scale * std::sqrt(15.0));
  EXPECT_NEAR(moment(4), 3.0, scale * std::sqrt(96.0));
}

TEST(RandomStream, MatchesTheNormalTailsBeyondTheZiggurat) {
  const double one_side = normal_cdf(-kZigguratTail);
  int above = 0, below = 0;
  double excess = 0.0;
  for (const double x : normal_draws()) {
    above += x > kZigguratTail ? 1 : 0;
    below += x < -kZigguratTail ? 1 : 0;
    if (std::abs(x) > kZigguratTail) excess += std::abs(x) - kZigguratTail;
  }
  const double deviation = std::sqrt(kDraws * one_side);
  EXPECT_NEAR(above, kDraws * one_side, kErrors * deviation);
  EXPECT_NEAR(below, kDraws * one_side, kErrors * deviation);
  // Mean excess of a normal tail: density / probability - start, about 0.268. The excess is nearly
  // exponential, so its deviation is nearly its mean.
  const double density =
      std::exp(-0.5 * kZigguratTail * kZigguratTail) / std::sqrt(2.0 * std::numbers::pi);
  const double mean_excess = density / one_side - kZigguratTail;
  EXPECT_NEAR(excess / (above + below), mean_excess,
              kErrors * mean_excess / std::sqrt(kDraws * 2.0 * one_side));
}

TEST(RandomStream, MatchesTheNormalInEveryBin) {
  // 80 bins of width 0.1 on (-4, 4): fine enough to see one wrong layer of the ziggurat. The
  // chi-square of 80 bins has mean 80 and deviation sqrt(160).
  constexpr int kBins = 80;
  std::array<int, kBins> counts{};
  for (const double x : normal_draws()) {
    const int bin = static_cast<int>(std::floor((x + 4.0) * 10.0));
    if (bin >= 0 && bin < kBins) ++counts[static_cast<std::size_t>(bin)];
  }
  double chi_square = 0.0;
  for (int i = 0; i < kBins; ++i) {
    const double expected = kDraws * (normal_cdf(-3.9 + 0.1 * i) - normal_cdf(-4.0 + 0.1 * i));
    const double miss = counts[static_cast<std::size_t>(i)] - expected;
    chi_square += miss * miss / expected;
  }
  EXPECT_LT(chi_square, kBins + kErrors * std::sqrt(2.0 * kBins));
}

TEST(RandomStream, FillsMatricesColumnByColumn) {
  Eigen::MatrixXd filled(3, 5);
  RandomStream(8).fill_normal(filled);
  RandomStream one_by_one(8);
  for (Eigen::Index i = 0; i < filled.size(); ++i) EXPECT_EQ(filled(i), one_by_one.normal());
}

TEST(RandomStream, MirrorsAntitheticColumns) {
  Eigen::MatrixXd even(3, 6), reference(3, 3);
  RandomStream(9).fill_normal_antithetic(even);
  RandomStream(9).fill_normal(reference);
  EXPECT_EQ(even.leftCols(3), reference);
  EXPECT_EQ(even.rightCols(3), -reference);
}

TEST(RandomStream, LeavesTheOddAntitheticColumnFree) {
  Eigen::MatrixXd odd(3, 7), reference(3, 4);
  RandomStream(9).fill_normal_antithetic(odd);
  RandomStream(9).fill_normal(reference);
  EXPECT_EQ(odd.leftCols(3), reference.leftCols(3));
  EXPECT_EQ(odd.middleCols(3, 3), -reference.leftCols(3));
  EXPECT_EQ(odd.col(6), reference.col(3));

  Eigen::MatrixXd single(3, 1);
  RandomStream(9).fill_normal_antithetic(single);
  EXPECT_EQ(single, reference.leftCols(1));
}

}  // namespace
}  // namespace ovf
