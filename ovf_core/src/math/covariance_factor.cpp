#include "ovf/math/covariance_factor.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <stdexcept>

namespace ovf {

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
  scratch = covariance;
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factorisation(scratch);
  // A NaN anywhere ends up on the diagonal of the factor, and passes for success.
  if (factorisation.info() != Eigen::Success || !scratch.diagonal().allFinite()) return false;
  lower_.triangularView<Eigen::Lower>() = scratch;
  return true;
}

bool CovarianceFactor::assign_inverse(const Eigen::MatrixXd& precision, Eigen::MatrixXd& scratch) {
  if (!(precision.diagonal().array() > 0.0).all()) return false;
  if (is_diagonal()) {
    // The mean-field optimum: the inverse of the precision's diagonal.
    lower_.diagonal() = precision.diagonal().cwiseSqrt().cwiseInverse();
    return true;
  }
  // With E the exchange matrix, E P E = M M' gives P^-1 = L L' with L = E M^-T E, lower triangular.
  scratch = precision.reverse();
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factorisation(scratch);
  if (factorisation.info() != Eigen::Success || !scratch.diagonal().allFinite()) return false;
  lower_.setIdentity();
  scratch.triangularView<Eigen::Lower>().solveInPlace(lower_);
  scratch = lower_.transpose().reverse();
  lower_ = scratch;
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

void CovarianceFactor::whiten(Eigen::Ref<Eigen::MatrixXd> x) const {
  if (is_diagonal()) {
    x.array().colwise() /= lower_.diagonal().array();
  } else {
    lower_.triangularView<Eigen::Lower>().solveInPlace(x);
  }
}

void CovarianceFactor::unwhiten_transposed(Eigen::Ref<Eigen::MatrixXd> x) const {
  if (is_diagonal()) {
    x.array().colwise() /= lower_.diagonal().array();
  } else {
    lower_.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
  }
}

Eigen::MatrixXd CovarianceFactor::covariance() const { return lower_ * lower_.transpose(); }

Eigen::VectorXd CovarianceFactor::standard_deviations() const { return lower_.rowwise().norm(); }

double CovarianceFactor::log_determinant() const { return lower_.diagonal().array().log().sum(); }

}  // namespace ovf
