#include "ovf/regression/kernel.hpp"

#include <cmath>

namespace ovf {
namespace {

// Beyond this every kernel is zero in either precision; polynomial times exponential would be
// infinity times zero.
constexpr double kFar = 1e6;

// sqrt(2 nu) r / bandwidth, the argument of the Matern kernels.
template <typename Scalar>
void to_matern_argument(double two_nu, Scalar bandwidth, KernelArray<Scalar>& r2) {
  const auto scale = static_cast<Scalar>(two_nu) / (bandwidth * bandwidth);
  r2 = (r2 * scale).min(static_cast<Scalar>(kFar)).sqrt();
}

}  // namespace

template <typename Scalar>
void kernel_values(KernelKind kind, Scalar bandwidth, KernelArray<Scalar> r2) {
  const Scalar one{1};
  switch (kind) {
    case KernelKind::kRbf:
      r2 = (r2 * (Scalar(-0.5) / (bandwidth * bandwidth))).exp();
      return;
    case KernelKind::kMatern12:
      to_matern_argument(1.0, bandwidth, r2);
      r2 = (-r2).exp();
      return;
    case KernelKind::kMatern32:
      to_matern_argument(3.0, bandwidth, r2);
      r2 = (one + r2) * (-r2).exp();
      return;
    case KernelKind::kMatern52:
      to_matern_argument(5.0, bandwidth, r2);
      r2 = (one + r2 * (one + r2 * (one / Scalar(3)))) * (-r2).exp();
      return;
  }
}

template <typename Scalar>
void kernel_log_bandwidth_derivatives(KernelKind kind, Scalar bandwidth, KernelArray<Scalar> r2) {
  const Scalar one{1};
  switch (kind) {
    case KernelKind::kRbf:
      r2 = (r2 / (bandwidth * bandwidth)).min(static_cast<Scalar>(kFar));
      r2 = r2 * (r2 * Scalar(-0.5)).exp();
      return;
    case KernelKind::kMatern12:
      to_matern_argument(1.0, bandwidth, r2);
      r2 = r2 * (-r2).exp();
      return;
    case KernelKind::kMatern32:
      to_matern_argument(3.0, bandwidth, r2);
      r2 = r2.square() * (-r2).exp();
      return;
    case KernelKind::kMatern52:
      to_matern_argument(5.0, bandwidth, r2);
      r2 = r2.square() * (one + r2) * (one / Scalar(3)) * (-r2).exp();
      return;
  }
}

template void kernel_values<float>(KernelKind, float, KernelArray<float>);
template void kernel_values<double>(KernelKind, double, KernelArray<double>);
template void kernel_log_bandwidth_derivatives<float>(KernelKind, float, KernelArray<float>);
template void kernel_log_bandwidth_derivatives<double>(KernelKind, double, KernelArray<double>);

}  // namespace ovf
