#pragma once

#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "ovf/filter/step_record.hpp"
#include "ovf/math/gaussian.hpp"
#include "ovf/model/linear_gaussian.hpp"

namespace ovf::test {

/// phi of one step, kept by a test.
struct Phi {
  Gaussian marginal;
  AffineGaussian kernel;
};

inline Phi phi_of(const StepRecord& record) {
  return {record.marginal.gaussian(), *record.kernel->affine()};
}

/// q_t(x_{1:t}) (Eq. 7) as one dense Gaussian over the stacked states x_1, ..., x_t.
struct StackedPosterior {
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
};

/// With zero covariance of x_t: q_t(x_{1:t-1} | x_t).
inline StackedPosterior stacked_posterior(const std::vector<Phi>& phi, const Eigen::VectorXd& last,
                                          const Eigen::MatrixXd& last_covariance) {
  const auto d = last.size();
  const auto steps = static_cast<Eigen::Index>(phi.size());
  StackedPosterior q{Eigen::VectorXd(d * steps), Eigen::MatrixXd::Zero(d * steps, d * steps)};
  q.mean.tail(d) = last;
  q.covariance.bottomRightCorner(d, d) = last_covariance;
  for (Eigen::Index t = steps - 1; t > 0; --t) {
    const AffineGaussian& kernel = phi[static_cast<std::size_t>(t)].kernel;
    q.mean.segment((t - 1) * d, d) = kernel.matrix * q.mean.segment(t * d, d) + kernel.offset;
    for (Eigen::Index k = t; k < steps; ++k) {
      const Eigen::MatrixXd cross = kernel.matrix * q.covariance.block(t * d, k * d, d, d);
      q.covariance.block((t - 1) * d, k * d, d, d) = cross;
      q.covariance.block(k * d, (t - 1) * d, d, d) = cross.transpose();
    }
    q.covariance.block((t - 1) * d, (t - 1) * d, d, d) =
        kernel.matrix * q.covariance.block(t * d, t * d, d, d) * kernel.matrix.transpose() +
        kernel.noise.covariance();
  }
  return q;
}

/// E_q[log p(x_{1:t}, y^t)] for a Gaussian q over the stacked states.
inline double expected_log_joint(const LinearGaussianSpec& spec, const Eigen::MatrixXd& y,
                                 const StackedPosterior& q) {
  const auto d = spec.F.rows();
  const auto steps = q.mean.size() / d;
  double sum = 0.0;
  const auto add = [&](const Eigen::MatrixXd& residual_matrix, const Eigen::VectorXd& offset,
                       const Eigen::MatrixXd& noise) {
    const Eigen::VectorXd mean = residual_matrix * q.mean + offset;
    const Eigen::MatrixXd second =
        residual_matrix * q.covariance * residual_matrix.transpose() + mean * mean.transpose();
    const Eigen::MatrixXd inverse = noise.inverse();
    sum -= 0.5 * ((inverse * second).trace() + std::log(noise.determinant()) +
                  static_cast<double>(noise.rows()) * kLogTwoPi);
  };
  for (Eigen::Index t = 0; t < steps; ++t) {
    Eigen::MatrixXd pick = Eigen::MatrixXd::Zero(d, q.mean.size());
    pick.middleCols(t * d, d).setIdentity();
    add(-spec.G * pick, y.col(t), spec.V);
    if (t == 0) {
      add(pick, -spec.prior.mean, spec.prior.covariance());
    } else {
      pick.middleCols((t - 1) * d, d) = -spec.F;
      add(pick, Eigen::VectorXd::Zero(d), spec.U);
    }
  }
  return sum;
}

inline double entropy(const CovarianceFactor& factor) {
  return factor.log_determinant() + 0.5 * factor.dim() * (1.0 + kLogTwoPi);
}

/// L_t (Eq. 5) of a linear-Gaussian model for phi_{1:t}, without any recursion.
inline double brute_force_elbo(const LinearGaussianSpec& spec, const Eigen::MatrixXd& y,
                               const std::vector<Phi>& phi) {
  const Gaussian& last = phi.back().marginal;
  double value = expected_log_joint(spec, y, stacked_posterior(phi, last.mean, last.covariance()));
  value += entropy(last.factor);
  for (std::size_t t = 1; t < phi.size(); ++t) value += entropy(phi[t].kernel.noise);
  return value;
}

/// V_t(x_t) (Eq. 9), without any recursion.
inline double brute_force_value(const LinearGaussianSpec& spec, const Eigen::MatrixXd& y,
                                const std::vector<Phi>& phi, const Eigen::VectorXd& x) {
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(x.size(), x.size());
  double value = expected_log_joint(spec, y, stacked_posterior(phi, x, none));
  Eigen::VectorXd log_q;
  log_density(phi.back().marginal, x, log_q);
  value -= log_q[0];
  for (std::size_t t = 1; t < phi.size(); ++t) value += entropy(phi[t].kernel.noise);
  return value;
}

}  // namespace ovf::test
