#include <gtest/gtest.h>

#include <limits>

#include "estimator/planar_case.hpp"

namespace ovf {
namespace {

using test::at_seconds;
using test::planar_config;

/// A message that may be anything.
class MessageSource {
 public:
  explicit MessageSource(std::uint64_t seed) : random_(seed, 72) {}

  Message next() {
    time_ += 0.05 + 0.05 * normal();
    switch (pick(12)) {
      case 0:
        time_ -= 0.5 * pick(4);
        break;
      case 1:
        if (pick(8) == 0) time_ += pick(2) == 0 ? 300.0 : -300.0;
        break;
      case 2:
        if (has_last_) return last_;
        break;
      default:
        break;
    }
    last_ = pick(3) == 0 ? Message(control()) : Message(measurement());
    has_last_ = true;
    return last_;
  }

 private:
  int pick(int count) { return static_cast<int>(random_.uniform() * count); }
  double normal() {
    Eigen::MatrixXd z(1, 1);
    random_.fill_normal(z);
    return z(0, 0);
  }
  double number() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    switch (pick(40)) {
      case 0:
        return std::numeric_limits<double>::quiet_NaN();
      case 1:
        return pick(2) == 0 ? kInfinity : -kInfinity;
      case 2:
        return 1e150 * normal();
      case 3:
        return 1e6 * normal();
      case 4:
        return std::numeric_limits<double>::max();
      case 5:
        return std::numeric_limits<double>::denorm_min();
      default:
        return normal();
    }
  }
  Eigen::VectorXd numbers(int dim) {
    if (pick(20) == 0) dim = pick(5);
    Eigen::VectorXd values(dim);
    for (double& value : values) value = number();
    return values;
  }
  Eigen::MatrixXd covariance(int dim) {
    switch (pick(6)) {
      case 0:
        return Eigen::MatrixXd::Zero(dim, dim);
      case 1:
        return -Eigen::MatrixXd::Identity(dim, dim);
      case 2:
        return 1e300 * Eigen::MatrixXd::Identity(dim, dim);
      case 3: {
        Eigen::MatrixXd any(dim, dim);
        for (Eigen::Index i = 0; i < any.size(); ++i) any(i) = number();
        return any;
      }
      case 4:
        return 1e-30 * Eigen::MatrixXd::Identity(dim, dim);
      default:
        return {};
    }
  }
  Stamp stamp() {
    if (pick(200) != 0) return at_seconds(time_);
    return pick(2) == 0 ? std::numeric_limits<Stamp>::max() : std::numeric_limits<Stamp>::min();
  }
  Control control() { return {stamp(), numbers(2)}; }
  Measurement measurement() {
    const char* const names[] = {"gps", "compass", "range", "gps", "nobody"};
    const std::string name = names[pick(5)];
    const int dim = name == "gps" ? 2 : 1;
    return {stamp(), name, numbers(dim), covariance(dim), pick(4)};
  }

  RandomStream random_;
  double time_ = 0.0;
  Message last_;
  bool has_last_ = false;
};

EstimatorConfig hardened_config(std::uint64_t seed) {
  EstimatorConfig config = planar_config();
  config.sensors[0].noise_source = NoiseSource::kMessage;
  config.sensors[0].nu = seed % 2 == 0 ? 4.0 : 0.0;
  config.sensors[0].learn_nu = config.sensors[0].nu > 0.0;
  config.sensors[1].gate = 0.999;
  config.sensors.push_back({.name = "range",
                            .kind = SensorKind::kRange,
                            .noise = {0.5},
                            .nu = 3.0,
                            .bias = {.deviation = 1.0, .drift = 0.01}});
  config.landmark_ids = {0, 1, 2};
  config.landmark_x = {5.0, -5.0, 0.0};
  config.landmark_y = {0.0, 5.0, -5.0};
  config.stream.late = seed % 3 == 0 ? LatePolicy::kDrop : LatePolicy::kRerun;
  config.stream.history = 20;
  if (seed % 5 == 0) config.initial.rule = InitialRule::kMeasurement;
  if (seed % 4 == 0) config.motion.residual = ResidualKind::kFeatures;
  return config;
}

void survive(std::uint64_t first_seed, int sequences, int messages) {
  for (int s = 0; s < sequences; ++s) {
    const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(s);
    MessageSource source(seed);
    Estimator estimator(hardened_config(seed));
    for (int k = 0; k < messages; ++k) {
      const EstimatorResult& result = estimator.process(source.next());
      ASSERT_TRUE(estimator.belief().mean.allFinite()) << "sequence " << seed << ", message " << k;
      ASSERT_TRUE(estimator.belief().factor.lower().allFinite()) << seed << ", message " << k;
      ASSERT_TRUE(estimator.filter().parameters().allFinite()) << seed << ", message " << k;
      ASSERT_TRUE(std::isfinite(result.elbo) && std::isfinite(result.nis)) << seed << ", " << k;
      const bool fine = result.outcome == Outcome::kUsed || result.outcome == Outcome::kPredicted;
      ASSERT_EQ(result.reason.empty(), fine) << seed << ", message " << k;
      if (k % 16 == 0 && estimator.initialised()) {
        const Rollout rollout = estimator.rollout({.horizon = 0.5, .samples = 2});
        ASSERT_EQ(rollout.times.size(), 5U);
      }
    }
    long counted = 0;
    for (const long count : estimator.counters().outcomes) counted += count;
    ASSERT_EQ(counted, messages) << "sequence " << seed;
  }
}

TEST(RandomMessages, NeverHarmTheEstimator) { survive(1, 300, 60); }

TEST(RandomMessagesSlow, NeverHarmTheEstimatorInTenThousandSequences) { survive(1000, 10000, 60); }

}  // namespace
}  // namespace ovf
