#pragma once

#include <Eigen/Core>

#include "ovf/math/covariance_factor.hpp"

namespace ovf {

/// A covariance factor as free numbers for an optimiser: the logarithms of its diagonal, then (full
/// form) the entries below the diagonal, column by column.
int factor_parameter_count(int dim, CovarianceForm form);
void read_factor(const CovarianceFactor& factor, Eigen::Ref<Eigen::VectorXd> parameters);
void write_factor(const Eigen::Ref<const Eigen::VectorXd>& parameters, CovarianceFactor& factor);

/// How far the logarithms that a network gives may go: a factor of a thousand either way.
inline constexpr double kLogScaleLimit = 7.0;

/// Gradient with respect to those numbers of the mean over samples of c_i' L e_i, for cotangents c
/// and noise e (columns are samples).
void factor_gradient(const CovarianceFactor& factor, const Eigen::MatrixXd& cotangent,
                     const Eigen::MatrixXd& noise, Eigen::Ref<Eigen::VectorXd> gradient);

/// The same for a function of L whose gradient with respect to L's entries is given.
void factor_gradient(const CovarianceFactor& factor, const Eigen::MatrixXd& by_lower,
                     Eigen::Ref<Eigen::VectorXd> gradient);

}  // namespace ovf
