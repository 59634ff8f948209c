#pragma once

#include <Eigen/Core>
#include <vector>

#include "ovf/filter/step_record.hpp"

namespace ovf {

/// The whole q(x_{1:t}) = q_t(x_t) prod q_k(x_{k-1} | x_k) (Eq. 7), kept for evaluation: memory
/// grows with t, so no filter holds one.
class PosteriorChain {
 public:
  /// Steps in order, each as the filter had it (OnlineVariationalFilter::record).
  void append(const StepRecord& record) { records_.push_back(record.copy()); }
  std::size_t size() const { return records_.size(); }

  /// What draws of the whole x_{1:t} say of the evidence.
  struct Bound {
    double elbo = 0.0;  ///< the true ELBO, E_q[log p(x, y) / q(x)]
    double standard_error = 0.0;
    /// log of the mean of p / q: a tighter bound on average (Burda et al., 2016).
    double importance_weighted = 0.0;
    /// Of the weights p / q: near the number of draws if q is near the posterior.
    double effective_sample_size = 0.0;
  };
  Bound bound(const StateSpaceModel& model, int samples, RandomStream& random) const;

  /// Means and standard deviations of x_k under q_t, one column for each k.
  struct Marginals {
    Eigen::MatrixXd mean;
    Eigen::MatrixXd deviation;
  };
  Marginals smoothed(const StateSpaceModel& model, int samples, RandomStream& random) const;

 private:
  /// Draws backwards in time; calls `visit(k, x_k)` and returns log p(x, y) - log q(x) of each.
  template <typename Visit>
  Eigen::VectorXd draw(const StateSpaceModel& model, int samples, RandomStream& random,
                       const Visit& visit) const;

  std::vector<StepRecord> records_;
};

}  // namespace ovf
