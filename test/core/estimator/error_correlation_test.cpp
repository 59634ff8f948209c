#include "ovf/estimator/error_correlation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <numeric>

#include "estimator/planar_case.hpp"
#include "ovf/math/random.hpp"

namespace ovf {
namespace {

constexpr double kErrorTime = 0.5;
constexpr double kStep = 0.1;

class Errors {
 public:
  explicit Errors(std::uint64_t seed) : random_(seed, 17) {}

  double white() {
    random_.fill_normal(z_);
    return z_(0, 0);
  }
  /// The mean of the last few.
  double averaged(std::size_t count) {
    last_.push_back(white());
    if (last_.size() > count) last_.pop_front();
    return std::accumulate(last_.begin(), last_.end(), 0.0) / static_cast<double>(last_.size());
  }
  /// White, and an error that wanders within a second.
  double wandering() {
    const double left = std::exp(-kStep);
    wander_ = left * wander_ + std::sqrt(1.0 - left * left) * white();
    return wander_ + 0.2 * white();
  }

 private:
  RandomStream random_;
  Eigen::MatrixXd z_ = Eigen::MatrixXd(1, 1);
  std::deque<double> last_;
  double wander_ = 0.0;
};

template <typename Draw>
ErrorCorrelation after(int messages, const Draw& draw, bool may_last = true) {
  ErrorCorrelation correlation(1, 2, may_last);
  for (int k = 0; k < messages; ++k) {
    for (int target = 0; target < 2; ++target) {
      const double r = draw(k, target);
      correlation.see(target, test::at_seconds(kStep * k), Eigen::VectorXd::Constant(1, r), r * r);
    }
  }
  return correlation;
}

TEST(ErrorCorrelation, FindsNothingInIndependentErrors) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Errors errors(seed);
    const ErrorCorrelation correlation = after(500, [&](int, int) { return errors.white(); });
    EXPECT_FALSE(correlation.errors_last()) << "seed " << seed << ": " << correlation.correlation();
    EXPECT_EQ(correlation.assumed_correlation(), 0.0);
    EXPECT_EQ(correlation.weight(0, test::at_seconds(49.95), 0.0, kErrorTime), 1.0);
  }
}

TEST(ErrorCorrelation, FindsErrorsThatAreAveragedRepeatedOrWander) {
  Errors first(1);
  Errors second(2);
  const auto of = [&](int target) -> Errors& { return target == 0 ? first : second; };
  EXPECT_GT(after(500, [&](int, int t) { return of(t).averaged(3); }).correlation(), 0.5);
  EXPECT_GT(after(500, [&](int, int t) { return of(t).wandering(); }).correlation(), 0.5);
  double held[2] = {};
  const ErrorCorrelation repeated = after(500, [&](int k, int t) {
    if (k % 5 == 0) held[t] = of(t).white();
    return held[t];
  });
  EXPECT_TRUE(repeated.errors_last());
  EXPECT_GT(repeated.correlation(), 0.6);
}

TEST(ErrorCorrelation, TakesNoOutlierForACorrelation) {
  Errors errors(3);
  // Two far outliers in a row, now and then.
  const ErrorCorrelation correlation =
      after(2000, [&](int k, int) { return errors.white() + (k % 100 < 2 ? 1000.0 : 0.0); });
  EXPECT_FALSE(correlation.errors_last()) << correlation.correlation();
}

TEST(ErrorCorrelation, WeighsMessagesWithinTheErrorTimeAsCorrelatedOnes) {
  Errors errors(4);
  const ErrorCorrelation correlation = after(500, [&](int, int) { return errors.wandering(); });
  const double last = kStep * 499;
  const auto weight = [&](double gap, double of) {
    return correlation.weight(0, test::at_seconds(last + gap), of, kErrorTime);
  };
  EXPECT_NEAR(weight(0.1, 1.0), 0.1 / kErrorTime, 1e-9);
  // The variance of a mean of five with this correlation is (1 + 4 * 0.5) / 5 of one's.
  EXPECT_NEAR(5.0 * weight(0.1, 0.5), 5.0 / (1.0 + 4.0 * 0.5), 1e-9);
  EXPECT_EQ(weight(2.0 * kErrorTime, 1.0), 1.0);
  EXPECT_GT(weight(0.0, 1.0), 0.0);
  EXPECT_EQ(correlation.assumed_correlation(), correlation.correlation());
  EXPECT_EQ(ErrorCorrelation(1, 2, true).assumed_correlation(), 1.0) << "not yet judged";
}

TEST(ErrorCorrelation, IsNotUsedWhereErrorsMayNotLast) {
  Errors errors(5);
  const auto correlation = after(
      500, [&](int, int) { return errors.wandering(); }, false);
  EXPECT_FALSE(correlation.errors_last());
  EXPECT_GT(correlation.correlation(), 0.5);
}

TEST(ErrorCorrelation, GoesOnFromAnArchive) {
  Errors errors(6);
  ErrorCorrelation one = after(300, [&](int, int) { return errors.wandering(); });
  Archive::Bytes bytes;
  Archive writer = Archive::writer(bytes);
  one.archive(writer);
  ErrorCorrelation other(1, 2, true);
  Archive reader = Archive::memory_reader(bytes);
  other.archive(reader);
  const Eigen::VectorXd r = Eigen::VectorXd::Constant(1, 0.3);
  one.see(1, test::at_seconds(30.0), r, 0.09);
  other.see(1, test::at_seconds(30.0), r, 0.09);
  EXPECT_EQ(one.correlation(), other.correlation());
  EXPECT_EQ(one.weight(0, test::at_seconds(30.1), 0.5, kErrorTime),
            other.weight(0, test::at_seconds(30.1), 0.5, kErrorTime));
}

}  // namespace
}  // namespace ovf
