#pragma once

#include <Eigen/Core>

#include "ovf/math/archive.hpp"

namespace ovf {

/// A variable that is affine in independent standard normals: constant + by_z * z + by_e * e.
struct AffineVariable {
  Eigen::VectorXd constant;
  Eigen::MatrixXd by_z;
  Eigen::MatrixXd by_e;
};

/// Several functions of one whitened variable z, each a second-order Hermite expansion
///     h_j(z) = c_j + b_j' z + (z' Q_j z - trace Q_j) / 2,
/// so that c_j is the mean of h_j, b_j its covariance with z, under z ~ N(0, I).
/// V and S of a linear-Gaussian model are exactly of this form.
class QuadraticFunctions {
 public:
  QuadraticFunctions() = default;
  QuadraticFunctions(int dim, int count);

  int dim() const { return static_cast<int>(linear_.rows()); }
  int count() const { return static_cast<int>(linear_.cols()); }
  void set_zero();

  Eigen::VectorXd& constant() { return constant_; }
  const Eigen::VectorXd& constant() const { return constant_; }
  /// Column j is b_j.
  Eigen::MatrixXd& linear() { return linear_; }
  const Eigen::MatrixXd& linear() const { return linear_; }
  /// Columns j*dim ... (j+1)*dim - 1 are the symmetric Q_j.
  Eigen::MatrixXd& quadratic() { return quadratic_; }
  const Eigen::MatrixXd& quadratic() const { return quadratic_; }
  auto quadratic_of(int j) { return quadratic_.middleCols(j * dim(), dim()); }
  auto quadratic_of(int j) const { return quadratic_.middleCols(j * dim(), dim()); }

  /// count x N values at the columns of z.
  Eigen::MatrixXd values(const Eigen::MatrixXd& z) const;
  /// Gradient of function j at each column of z.
  Eigen::MatrixXd gradients(int j, const Eigen::MatrixXd& z) const;
  /// E[h_j(z)] for z with the given mean and covariance, without the constant c_j.
  void expected_variation(const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance,
                          Eigen::VectorXd& out) const;

  /// For z = z_old.constant + z_old.by_z * z_new + z_old.by_e * e: the functions
  /// z_new -> E_e[h_j(z)], without the constants. Allocates nothing once sized.
  void compose(const AffineVariable& z_old, QuadraticFunctions& out,
               Eigen::MatrixXd& scratch) const;

  /// h_j += scale * E_e[u v] for two scalars u, v that are affine in (z, e).
  template <typename U, typename V>
  void add_product(int j, double scale, double u0, const U& uz, double v0, const V& vz,
                   double noise_product) {
    constant_[j] += scale * (u0 * v0 + uz.dot(vz) + noise_product);
    linear_.col(j) += (scale * u0) * vz + (scale * v0) * uz;
    auto q = quadratic_of(j);
    q.noalias() += scale * (uz * vz.transpose());
    q.noalias() += scale * (vz * uz.transpose());
  }

  template <typename U>
  void add_square(int j, double scale, double u0, const U& uz, double noise_square) {
    constant_[j] += scale * (u0 * u0 + uz.squaredNorm() + noise_square);
    linear_.col(j) += (2.0 * scale * u0) * uz;
    quadratic_of(j).noalias() += (2.0 * scale) * (uz * uz.transpose());
  }
  /// The sum over several products u_i v_i, of which uz and vz have the columns i.
  void add_products(int j, double scale, const Eigen::VectorXd& u0, const Eigen::MatrixXd& uz,
                    const Eigen::Ref<const Eigen::VectorXd>& v0, const Eigen::MatrixXd& vz,
                    double noise_product, Eigen::MatrixXd& scratch);

  /// h_0 += weight * E_e[-|w|^2 / 2] for a whitened residual w affine in (z, e); noise_norm is
  /// |w.by_e|^2.
  void add_squared_norm(double weight, const Eigen::VectorXd& w0, const Eigen::MatrixXd& wz,
                        double noise_norm);

  /// Dimension and count stay as they are.
  void archive(Archive& archive);

 private:
  Eigen::VectorXd constant_;
  Eigen::MatrixXd linear_;
  Eigen::MatrixXd quadratic_;
};

}  // namespace ovf
