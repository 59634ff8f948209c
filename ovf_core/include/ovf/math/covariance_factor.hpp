#pragma once

#include <Eigen/Core>

#include "ovf/math/archive.hpp"

namespace ovf {

enum class CovarianceForm { kDiagonal, kFull };

/// A covariance as its lower-triangular factor L, covariance = L L'. It cannot lose definiteness.
/// The diagonal form (mean field) costs linear time in every operation.
class CovarianceFactor {
 public:
  CovarianceFactor() = default;
  /// scale * identity.
  CovarianceFactor(int dim, CovarianceForm form, double scale = 1.0);

  /// Throws std::invalid_argument naming the entry that is not positive and finite.
  static CovarianceFactor from_standard_deviations(const Eigen::VectorXd& deviations);
  /// Throws std::invalid_argument unless the matrix is square, finite, symmetric and positive
  /// definite.
  static CovarianceFactor from_covariance(const Eigen::MatrixXd& covariance, CovarianceForm form);

  int dim() const { return static_cast<int>(lower_.rows()); }
  CovarianceForm form() const { return form_; }
  bool is_diagonal() const { return form_ == CovarianceForm::kDiagonal; }

  /// L itself, dense, zeros above the diagonal.
  const Eigen::MatrixXd& lower() const { return lower_; }
  /// For optimisers of L; keep the diagonal positive and the form's zeros zero.
  Eigen::MatrixXd& lower() { return lower_; }

  /// Replaces L by the factor of a covariance (its diagonal in the diagonal form); only the lower
  /// triangle is read. False, and L as it was, if that is not positive definite. Allocates nothing.
  bool assign_covariance(const Eigen::MatrixXd& covariance, Eigen::MatrixXd& scratch);

  /// The same for the inverse of a precision: one factorisation of the reversed matrix gives L.
  bool assign_inverse(const Eigen::MatrixXd& precision, Eigen::MatrixXd& scratch);

  /// L z for each column.
  void multiply(const Eigen::Ref<const Eigen::MatrixXd>& z, Eigen::Ref<Eigen::MatrixXd> out) const;
  /// M L for a matrix of row vectors.
  void multiply_left(const Eigen::MatrixXd& m, Eigen::MatrixXd& out) const;
  /// covariance += L L'.
  void add_to(Eigen::MatrixXd& covariance) const;
  /// x := L^-1 x.
  void whiten(Eigen::Ref<Eigen::MatrixXd> x) const;
  /// x := L^-T x.
  void unwhiten_transposed(Eigen::Ref<Eigen::MatrixXd> x) const;

  Eigen::MatrixXd covariance() const;
  Eigen::VectorXd standard_deviations() const;
  /// log det L, half the log determinant of the covariance.
  double log_determinant() const;

  void archive(Archive& archive, int dim);

 private:
  CovarianceForm form_ = CovarianceForm::kFull;
  Eigen::MatrixXd lower_;
};

}  // namespace ovf
