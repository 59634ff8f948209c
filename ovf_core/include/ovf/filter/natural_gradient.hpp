#pragma once

#include <Eigen/Core>

#include "ovf/filter/inference.hpp"
#include "ovf/filter/online_variational_filter_config.hpp"
#include "ovf/filter/peak_search.hpp"

namespace ovf {

/// Natural-gradient ascent of E_q[log g + log prediction] + entropy over a Gaussian q:
///     precision <- P^-1 + E[-hess log g],
///     mean <- mean + precision^-1 (E[grad log g] - P^-1 (mean - m)).
/// One step is the Kalman update for a linear-Gaussian observation. A step that would lower the
/// objective is halved until it does not. Where the observation is far from linear over the
/// prediction, g may have several peaks: then the ascent also starts at other peaks (PeakSearch),
/// and the best q is kept.
class NaturalGradient final : public Inference {
 public:
  /// `warm`: a step starts at the covariance that the marginal has, not at the prediction's.
  NaturalGradient(const NaturalGradientConfig& config, int dim, bool warm = false);

  int optimise(const StateSpaceModel& model, const Gaussian& prediction, bool restart,
               ValueRecursion& value, StepRecord& record) override;
  bool ambiguous() const override { return ambiguous_; }

 private:
  /// What an ascent reached; no iterations: it failed.
  struct Ascent {
    int iterations = 0;
    double elbo = 0.0;
  };
  Ascent ascend(const Observation& observation, const Gaussian& prediction, StepRecord& record);
  Ascent try_other_peaks(const Observation& observation, const Gaussian& prediction, Ascent best,
                         StepRecord& record);
  double objective(const Gaussian& prediction, const Gaussian& q, double expected_log_g);
  /// From start_ and curvature_ towards `target`'s curvature and along direction_; false if the
  /// precision on the way is not positive definite.
  bool move(double rate, const ExpectedDerivatives& target, Gaussian& q);
  bool assign_precision(Gaussian& q);
  void assume_curvature(const Gaussian& q);
  bool is_near(const Gaussian& a, const Gaussian& b);

  NaturalGradientConfig config_;
  bool warm_;
  ExpectedDerivatives derivatives_;
  ExpectedDerivatives trial_;
  Eigen::MatrixXd prior_precision_;
  Eigen::MatrixXd curvature_;  // of log g in the precision of q
  Eigen::MatrixXd next_curvature_;
  bool diagonal_curvature_ = false;
  Eigen::MatrixXd precision_;
  CovarianceFactor full_;  // of the precision's inverse; q itself may be a mean field
  Eigen::MatrixXd scratch_;
  Eigen::VectorXd offset_;
  Eigen::VectorXd shift_;
  Eigen::VectorXd direction_;
  Gaussian start_;
  PeakSearch peaks_;
  Gaussian best_;
  Eigen::MatrixXd best_curvature_;
  bool ambiguous_ = false;
};

}  // namespace ovf
