#include "ovf/regression/kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ovf {
namespace {

constexpr KernelKind kKinds[] = {KernelKind::kRbf, KernelKind::kMatern12, KernelKind::kMatern32,
                                 KernelKind::kMatern52};

template <typename Scalar>
Scalar value(KernelKind kind, Scalar bandwidth, Scalar squared_distance) {
  Eigen::Array<Scalar, Eigen::Dynamic, 1> array(1);
  array << squared_distance;
  kernel_values<Scalar>(kind, bandwidth, array);
  return array[0];
}

template <typename Scalar>
Scalar derivative(KernelKind kind, Scalar bandwidth, Scalar squared_distance) {
  Eigen::Array<Scalar, Eigen::Dynamic, 1> array(1);
  array << squared_distance;
  kernel_log_bandwidth_derivatives<Scalar>(kind, bandwidth, array);
  return array[0];
}

TEST(Kernel, HasTheValuesComputedByHandAtTwoBandwidths) {
  // r = 2, s = 1, so u = 2: e^-2, e^-2, (1 + 2 sqrt3) e^(-2 sqrt3), (1 + 2 sqrt5 + 20/3) e^(-2
  // sqrt5).
  EXPECT_NEAR(value(KernelKind::kRbf, 1.0, 4.0), 0.1353352832, 1e-9);
  EXPECT_NEAR(value(KernelKind::kMatern12, 1.0, 4.0), 0.1353352832, 1e-9);
  EXPECT_NEAR(value(KernelKind::kMatern32, 1.0, 4.0), 0.139731350, 1e-8);
  EXPECT_NEAR(value(KernelKind::kMatern52, 1.0, 4.0), 0.138660219, 1e-8);
  // r = 1, s = 2, so u = 1/2.
  EXPECT_NEAR(value(KernelKind::kRbf, 2.0, 1.0), std::exp(-0.125), 1e-12);
  EXPECT_NEAR(value(KernelKind::kMatern12, 2.0, 1.0), std::exp(-0.5), 1e-12);
}

TEST(Kernel, IsOneAtDistanceZeroAndZeroFarAway) {
  for (const KernelKind kind : kKinds) {
    EXPECT_EQ(value(kind, 0.7, 0.0), 1.0);
    EXPECT_EQ(derivative(kind, 0.7, 0.0), 0.0);
    for (const float far : {1e30F, std::numeric_limits<float>::infinity()}) {
      EXPECT_NEAR(value(kind, 0.7F, far), 0.0F, 1e-30F);
      EXPECT_NEAR(derivative(kind, 0.7F, far), 0.0F, 1e-30F);
    }
  }
}

TEST(Kernel, DerivativeInLogBandwidthAgreesWithDifferences) {
  const double step = 1e-5;
  for (const KernelKind kind : kKinds) {
    for (const double squared : {0.01, 0.5, 3.0, 20.0}) {
      const double bandwidth = 1.3;
      const double difference = (value(kind, bandwidth * std::exp(step), squared) -
                                 value(kind, bandwidth * std::exp(-step), squared)) /
                                (2.0 * step);
      EXPECT_NEAR(derivative(kind, bandwidth, squared), difference, 1e-9) << squared;
    }
  }
}

TEST(Kernel, AgreesInBothPrecisions) {
  for (const KernelKind kind : kKinds) {
    EXPECT_NEAR(value(kind, 1.5F, 2.5F), static_cast<float>(value(kind, 1.5, 2.5)), 1e-6F);
    EXPECT_NEAR(derivative(kind, 1.5F, 2.5F), static_cast<float>(derivative(kind, 1.5, 2.5)),
                1e-6F);
  }
}

}  // namespace
}  // namespace ovf
