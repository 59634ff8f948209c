#pragma once

#include <Eigen/Core>
#include <vector>

#include "ovf/filter/step_record.hpp"

namespace ovf {

/// The second-order expansion of log g(y | x) that stood for it in a step.
struct ObservationSite {
  Eigen::VectorXd centre;
  ExpectedDerivatives expansion;

  /// E[log g - expansion], up to a constant of the expansion, where E[log g] is known.
  double excess(const Gaussian& x, double expected_log_g);

 private:
  Eigen::VectorXd offset_;
  Eigen::MatrixXd scratch_;
};

/// Later observations say more of an earlier state, and so of what its observation's expansion
/// missed: E_{q_{k+L}}[log g_k - expansion] - E_{q_{k+1}}[the same], L steps later. It takes from
/// the running ELBO what it had too much (docs/method.md, "The running bound").
class LaggedExcess {
 public:
  LaggedExcess(int lag, int dim);

  /// A step: its kernel; the observation of the step before it, with the expansion that stood for
  /// it in this step's prediction (null: none did), and its excess under q_t. `smoothed` is
  /// q_t(x_{t-1}). Returns the correction of the step `lag` ago.
  double update(const StateSpaceModel& model, const AffineGaussian& kernel, bool observed,
                const Eigen::VectorXd& y, const StepInput& input, const ObservationSite* site,
                double excess, const Gaussian& smoothed);
  void commit();
  void archive(Archive& archive, const StateSpaceModel& model);

 private:
  struct Entry {
    bool pending = false;  // a correction is due
    AffineGaussian kernel;
    StepInput input;
    Eigen::VectorXd y;
    ObservationSite site;
    double excess = 0.0;

    void archive(Archive& archive, const StateSpaceModel& model);
  };
  bool go_back(const AffineGaussian& kernel);

  std::vector<Entry> entries_;  // [0] the next, [k] of k steps ago
  int count_ = 0;               // that are filled
  Gaussian marginal_;
  ExpectedDerivatives derivatives_;
  Eigen::MatrixXd covariance_, scratch_;
  Eigen::VectorXd mean_;
};

}  // namespace ovf
