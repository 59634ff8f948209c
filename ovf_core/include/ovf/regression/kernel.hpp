#pragma once

#include <Eigen/Core>

namespace ovf {

/// The covariance functions of kernel ridge regression, all with value 1 at distance 0.
/// With u = r / bandwidth: exp(-u^2/2), exp(-u), (1 + sqrt3 u) exp(-sqrt3 u) and
/// (1 + sqrt5 u + 5u^2/3) exp(-sqrt5 u).
enum class KernelKind { kRbf, kMatern12, kMatern32, kMatern52 };

/// A contiguous run of squared distances, replaced in place by function values.
template <typename Scalar>
using KernelArray = Eigen::Ref<Eigen::Array<Scalar, Eigen::Dynamic, 1>>;

/// Replaces squared distances by kernel values. Scalar is float or double.
template <typename Scalar>
void kernel_values(KernelKind kind, Scalar bandwidth, KernelArray<Scalar> squared_distances);

/// Replaces squared distances by the derivative of the kernel with respect to log bandwidth.
template <typename Scalar>
void kernel_log_bandwidth_derivatives(KernelKind kind, Scalar bandwidth,
                                      KernelArray<Scalar> squared_distances);

}  // namespace ovf
