#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

namespace ovf {

/// Rotations as vectors: axis times angle. Written for any type of number; all are smooth at zero,
/// where series replace what would be 0 / 0.
template <typename T>
using Vector3 = Eigen::Matrix<T, 3, 1>;
template <typename T>
using Matrix3 = Eigen::Matrix<T, 3, 3>;

/// skew(a) b = a x b.
template <typename T>
Matrix3<T> skew(const Vector3<T>& a) {
  Matrix3<T> out;
  out << T(0.0), T(-a[2]), a[1], a[2], T(0.0), T(-a[0]), T(-a[1]), a[0], T(0.0);
  return out;
}

/// Squared angles below this take series, whose first left-out term is then below 1e-17.
inline constexpr double kSmallSquaredAngle = 1e-3;

template <typename T>
T squared_norm(const Vector3<T>& a) {
  return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
}

/// exp: the rotation with this vector.
template <typename T>
Eigen::Quaternion<T> rotation_quaternion(const Vector3<T>& vector) {
  const T half_square = 0.25 * squared_norm(vector);  // of half the angle
  T cosine;
  T factor;  // sin(half) / half
  if (half_square < kSmallSquaredAngle) {
    cosine = 1.0 - half_square / 2.0 *
                       (1.0 - half_square / 12.0 *
                                  (1.0 - half_square / 30.0 * (1.0 - half_square / 56.0)));
    factor = 1.0 - half_square / 6.0 *
                       (1.0 - half_square / 20.0 *
                                  (1.0 - half_square / 42.0 * (1.0 - half_square / 72.0)));
  } else {
    using std::cos;
    using std::sin;
    using std::sqrt;
    const T half = sqrt(half_square);
    cosine = cos(half);
    factor = sin(half) / half;
  }
  const T x = 0.5 * factor * vector[0];
  const T y = 0.5 * factor * vector[1];
  const T z = 0.5 * factor * vector[2];
  return Eigen::Quaternion<T>(cosine, x, y, z);
}

/// log: the vector, of an angle up to half a turn, of a rotation.
template <typename T>
Vector3<T> rotation_vector(const Eigen::Quaternion<T>& rotation) {
  Vector3<T> axis(rotation.x(), rotation.y(), rotation.z());
  T w = rotation.w();
  if (w < 0.0) {  // q and -q are the same rotation
    axis = -axis;
    w = -w;
  }
  const T square = squared_norm(axis);
  T factor;  // angle / sin(half)
  if (square < kSmallSquaredAngle) {
    const T ratio = square / (w * w);
    factor = 2.0 / w *
             (1.0 -
              ratio * (1.0 / 3.0 -
                       ratio * (1.0 / 5.0 -
                                ratio * (1.0 / 7.0 - ratio * (1.0 / 9.0 - ratio * (1.0 / 11.0))))));
  } else {
    using std::atan2;
    using std::sqrt;
    const T sine = sqrt(square);
    factor = 2.0 * atan2(sine, w) / sine;
  }
  return axis * factor;
}

/// Of exp(vector s) for s from 0 to 1, the mean: the path of what moves ahead while it turns. Also
/// the left Jacobian: exp(vector + small) = exp(J small) exp(vector) to first order; that of
/// -vector is the right one, exp(vector + small) = exp(vector) exp(J small).
template <typename T>
Matrix3<T> left_jacobian(const Vector3<T>& vector) {
  const T square = squared_norm(vector);
  T first;   // (1 - cos angle) / angle^2
  T second;  // (angle - sin angle) / angle^3
  if (square < kSmallSquaredAngle) {
    first = 0.5 * (1.0 - square / 12.0 *
                             (1.0 - square / 30.0 * (1.0 - square / 56.0 * (1.0 - square / 90.0))));
    second = 1.0 / 6.0 *
             (1.0 - square / 20.0 *
                        (1.0 - square / 42.0 * (1.0 - square / 72.0 * (1.0 - square / 110.0))));
  } else {
    using std::sin;
    using std::sqrt;
    const T angle = sqrt(square);
    const T half = sin(0.5 * angle);
    first = 2.0 * half * half / square;
    second = (angle - sin(angle)) / (square * angle);
  }
  const Matrix3<T> cross = skew(vector);
  const Matrix3<T> cross_square = cross * cross;
  return Matrix3<T>::Identity() + cross * first + cross_square * second;
}

}  // namespace ovf
