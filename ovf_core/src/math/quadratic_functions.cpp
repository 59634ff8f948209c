#include "ovf/math/quadratic_functions.hpp"

namespace ovf {

QuadraticFunctions::QuadraticFunctions(int dim, int count)
    : constant_(Eigen::VectorXd::Zero(count)),
      linear_(Eigen::MatrixXd::Zero(dim, count)),
      quadratic_(Eigen::MatrixXd::Zero(dim, dim * count)) {}

void QuadraticFunctions::set_zero() {
  constant_.setZero();
  linear_.setZero();
  quadratic_.setZero();
}

Eigen::MatrixXd QuadraticFunctions::values(const Eigen::MatrixXd& z) const {
  Eigen::MatrixXd out(count(), z.cols());
  for (int j = 0; j < count(); ++j) {
    const auto q = quadratic_of(j);
    const Eigen::RowVectorXd squares = (z.array() * (q * z).array()).colwise().sum().matrix();
    out.row(j) = linear_.col(j).transpose() * z + 0.5 * squares;
    out.row(j).array() += constant_[j] - 0.5 * q.trace();
  }
  return out;
}

Eigen::MatrixXd QuadraticFunctions::gradients(int j, const Eigen::MatrixXd& z) const {
  return (quadratic_of(j) * z).colwise() + linear_.col(j);
}

void QuadraticFunctions::expected_variation(const Eigen::VectorXd& mean,
                                            const Eigen::MatrixXd& covariance,
                                            Eigen::VectorXd& out) const {
  out.noalias() = linear_.transpose() * mean;
  for (int j = 0; j < count(); ++j) {
    const auto q = quadratic_of(j);
    double squares = -q.trace();
    for (int k = 0; k < dim(); ++k) {
      squares += q.col(k).dot(covariance.col(k)) + mean[k] * q.col(k).dot(mean);
    }
    out[j] += 0.5 * squares;
  }
}

void QuadraticFunctions::compose(const AffineVariable& z_old, QuadraticFunctions& out,
                                 Eigen::MatrixXd& scratch) const {
  const auto jacobian_t = z_old.by_z.transpose();
  out.constant_.setZero();
  // b' = J' (b + Q delta), Q' = J' Q J. Both sides of Q go through one wide product each:
  // J' (J' Q)' is J' Q J because Q is symmetric.
  scratch.noalias() = jacobian_t * quadratic_;
  out.linear_.noalias() = jacobian_t * linear_;
  for (int j = 0; j < count(); ++j) {
    auto half = scratch.middleCols(j * dim(), dim());
    out.linear_.col(j).noalias() += half * z_old.constant;
    half.transposeInPlace();
  }
  out.quadratic_.noalias() = jacobian_t * scratch;
}

void QuadraticFunctions::add_products(int j, double scale, const Eigen::VectorXd& u0,
                                      const Eigen::MatrixXd& uz,
                                      const Eigen::Ref<const Eigen::VectorXd>& v0,
                                      const Eigen::MatrixXd& vz, double noise_product,
                                      Eigen::MatrixXd& scratch) {
  constant_[j] += scale * (u0.dot(v0) + uz.cwiseProduct(vz).sum() + noise_product);
  linear_.col(j).noalias() += scale * vz * u0;
  linear_.col(j).noalias() += scale * uz * v0;
  scratch.noalias() = scale * uz * vz.transpose();
  quadratic_of(j) += scratch + scratch.transpose();
}

void QuadraticFunctions::add_squared_norm(double weight, const Eigen::VectorXd& w0,
                                          const Eigen::MatrixXd& wz, double noise_norm) {
  constant_[0] -= 0.5 * weight * (w0.squaredNorm() + wz.squaredNorm() + noise_norm);
  linear_.col(0).noalias() -= weight * wz.transpose() * w0;
  quadratic_.leftCols(dim()).noalias() -= weight * wz.transpose() * wz;
}

void QuadraticFunctions::archive(Archive& archive) {
  archive.vector("constants", constant_, constant_.size());
  archive.matrix("linear terms", linear_, linear_.rows(), linear_.cols());
  archive.matrix("quadratic terms", quadratic_, quadratic_.rows(), quadratic_.cols());
}

}  // namespace ovf
