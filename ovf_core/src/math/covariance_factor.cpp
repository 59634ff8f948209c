#include "ovf/math/covariance_factor.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "math/small_triangle.hpp"

namespace ovf {
namespace {

// Replaces a lower triangle by its inverse, by halves: [A 0; B C]^-1 = [A^-1 0; -C^-1 B A^-1 C^-1].
void invert_lower(Eigen::Ref<Eigen::MatrixXd> matrix) {
  const Eigen::Index n = matrix.rows();
  if (n <= SmallTriangle::kMaxRows) {
    SmallTriangle::Square inverse;
    SmallTriangle::lower(matrix).invert(inverse);
    matrix.triangularView<Eigen::Lower>() = inverse.topLeftCorner(n, n).matrix();
    return;
  }
  const Eigen::Index half = n / 2;
  auto a = matrix.topLeftCorner(half, half);
  auto b = matrix.bottomLeftCorner(n - half, half);
  auto c = matrix.bottomRightCorner(n - half, n - half);
  b = -b;
  c.triangularView<Eigen::Lower>().solveInPlace(b);
  a.triangularView<Eigen::Lower>().solveInPlace<Eigen::OnTheRight>(b);
  invert_lower(a);
  invert_lower(c);
}

// To solve with the factor of very few rows as with that of many takes no longer.
bool pays_to_copy(int rows) { return rows >= 16 && rows <= SmallTriangle::kMaxRows; }

}  // namespace

CovarianceFactor::CovarianceFactor(int dim, CovarianceForm form, double scale)
    : form_(form), lower_(Eigen::MatrixXd::Identity(dim, dim) * scale) {}

CovarianceFactor CovarianceFactor::from_standard_deviations(const Eigen::VectorXd& deviations) {
  for (Eigen::Index i = 0; i < deviations.size(); ++i) {
    if (!(deviations[i] > 0.0) || !std::isfinite(deviations[i])) {
      throw std::invalid_argument(fmt::format(
          "standard deviation {} is {}; expected a positive finite number", i, deviations[i]));
    }
  }
  CovarianceFactor factor(static_cast<int>(deviations.size()), CovarianceForm::kDiagonal);
  factor.lower_.diagonal() = deviations;
  return factor;
}

CovarianceFactor CovarianceFactor::from_covariance(const Eigen::MatrixXd& covariance,
                                                   CovarianceForm form) {
  if (covariance.rows() != covariance.cols() || covariance.rows() == 0) {
    throw std::invalid_argument(
        fmt::format("covariance is {}x{}; expected a square matrix that is not empty",
                    covariance.rows(), covariance.cols()));
  }
  if (!covariance.allFinite()) {
    throw std::invalid_argument("covariance has an entry that is not finite");
  }
  const double scale = covariance.cwiseAbs().maxCoeff();
  if ((covariance - covariance.transpose()).cwiseAbs().maxCoeff() > 1e-9 * scale) {
    throw std::invalid_argument("covariance is not symmetric");
  }
  if (form == CovarianceForm::kDiagonal && !covariance.isDiagonal(0.0)) {
    throw std::invalid_argument(
        "covariance has entries off its diagonal; expected a diagonal matrix");
  }
  CovarianceFactor factor(static_cast<int>(covariance.rows()), form);
  Eigen::MatrixXd scratch(covariance.rows(), covariance.cols());
  if (!factor.assign_covariance(covariance, scratch)) {
    throw std::invalid_argument(
        fmt::format("covariance is not positive definite (smallest diagonal entry {})",
                    covariance.diagonal().minCoeff()));
  }
  return factor;
}

bool CovarianceFactor::assign_covariance(const Eigen::MatrixXd& covariance,
                                         Eigen::MatrixXd& scratch) {
  if (!(covariance.diagonal().array() > 0.0).all()) return false;
  if (is_diagonal()) {
    lower_.diagonal() = covariance.diagonal().cwiseSqrt();
    return true;
  }
  if (dim() <= SmallTriangle::kMaxRows) {
    SmallTriangle small(dim());
    if (!small.factorise(covariance)) return false;
    small.copy_to(lower_);
    return true;
  }
  scratch = covariance;
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factorisation(scratch);
  // A NaN anywhere ends up on the diagonal of the factor, and passes for success.
  if (factorisation.info() != Eigen::Success || !scratch.diagonal().allFinite()) return false;
  lower_.triangularView<Eigen::Lower>() = scratch;
  return true;
}

bool CovarianceFactor::assign_inverse(const Eigen::MatrixXd& precision, Eigen::MatrixXd& scratch) {
  if (!(precision.diagonal().array() > 0.0).all() || !precision.diagonal().allFinite()) {
    return false;
  }
  if (is_diagonal()) {
    // The mean-field optimum: the inverse of the precision's diagonal.
    lower_.diagonal() = precision.diagonal().cwiseSqrt().cwiseInverse();
    return true;
  }
  // With E the exchange matrix, E P E = M M' gives P^-1 = L L' with L = E M^-T E, lower triangular.
  if (dim() <= SmallTriangle::kMaxRows) {
    SmallTriangle small(dim());
    if (!small.factorise(precision.reverse())) return false;
    SmallTriangle::Square inverse;
    small.invert(inverse);
    lower_ = inverse.topLeftCorner(dim(), dim()).matrix().transpose().reverse();
    return true;
  }
  scratch = precision.reverse();
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factorisation(scratch);
  if (factorisation.info() != Eigen::Success || !scratch.diagonal().allFinite()) return false;
  invert_lower(scratch);
  lower_.triangularView<Eigen::Lower>() = scratch.transpose().reverse();
  return true;
}

void CovarianceFactor::multiply(const Eigen::Ref<const Eigen::MatrixXd>& z,
                                Eigen::Ref<Eigen::MatrixXd> out) const {
  if (is_diagonal()) {
    out.noalias() = lower_.diagonal().asDiagonal() * z;
  } else {
    out.noalias() = lower_.triangularView<Eigen::Lower>() * z;
  }
}

void CovarianceFactor::multiply_left(const Eigen::MatrixXd& m, Eigen::MatrixXd& out) const {
  if (is_diagonal()) {
    out = m * lower_.diagonal().asDiagonal();
  } else {
    out.noalias() = m * lower_;
  }
}

void CovarianceFactor::add_to(Eigen::MatrixXd& covariance) const {
  if (is_diagonal()) {
    covariance.diagonal() += lower_.diagonal().cwiseAbs2();
  } else {
    covariance.noalias() += lower_ * lower_.transpose();
  }
}

void CovarianceFactor::whiten(Eigen::Ref<Eigen::MatrixXd> x) const {
  if (is_diagonal()) {
    x.array().colwise() /= lower_.diagonal().array();
  } else if (x.cols() == 1) {
    lower_.triangularView<Eigen::Lower>().solveInPlace(x.col(0));
  } else if (pays_to_copy(dim())) {
    SmallTriangle::lower(lower_).solve<true>(x);
  } else {
    lower_.triangularView<Eigen::Lower>().solveInPlace(x);
  }
}

void CovarianceFactor::unwhiten_transposed(Eigen::Ref<Eigen::MatrixXd> x) const {
  if (is_diagonal()) {
    x.array().colwise() /= lower_.diagonal().array();
  } else if (x.cols() == 1) {
    lower_.triangularView<Eigen::Lower>().transpose().solveInPlace(x.col(0));
  } else if (pays_to_copy(dim())) {
    SmallTriangle::upper(lower_.transpose()).solve<false>(x);
  } else {
    lower_.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
  }
}

Eigen::MatrixXd CovarianceFactor::covariance() const { return lower_ * lower_.transpose(); }

Eigen::VectorXd CovarianceFactor::standard_deviations() const { return lower_.rowwise().norm(); }

double CovarianceFactor::log_determinant() const {
  // One logarithm for several numbers; the product of so few does not leave the range of a double.
  constexpr Eigen::Index kTogether = 4;
  const auto diagonal = lower_.diagonal();
  double sum = 0.0;
  for (Eigen::Index first = 0; first < diagonal.size(); first += kTogether) {
    sum += std::log(diagonal.segment(first, std::min(kTogether, diagonal.size() - first)).prod());
  }
  return sum;
}

void CovarianceFactor::archive(Archive& archive, int dim) {
  archive.choice("covariance form", form_, CovarianceForm::kFull);
  archive.expect("covariance dimension", dim);
  if (archive.reading()) lower_.setZero(dim, dim);
  for (Eigen::Index j = 0; j < dim; ++j) {
    const Eigen::Index count = is_diagonal() ? 1 : dim - j;
    archive.numbers("covariance factor", {&lower_(j, j), static_cast<std::size_t>(count)});
  }
  archive.require_finite("covariance factor", lower_);
  archive.require((lower_.diagonal().array() > 0.0).all(), "covariance factor",
                  "a positive diagonal");
}

}  // namespace ovf
