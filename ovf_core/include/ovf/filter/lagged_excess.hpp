#pragma once

#include <Eigen/Core>
#include <memory>
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
  Eigen::VectorXd offset_, shift_;
  Eigen::MatrixXd scratch_;
};

/// A step as the ELBO of later steps needs it.
struct LaggedStep {
  AffineGaussian kernel;  ///< q_t(x_{t-1} | x_t)
  AffineGaussian line;    ///< that stood for f
  StepInput input;
  /// E[log f - log of its line] under q_t; 0: not worth looking at again.
  double curvature = 0.0;
  /// The observation of the step before, if an expansion stood for it in this step's prediction,
  /// and E[log g - expansion] under q_t.
  bool observed = false;
  StepInput last_input;
  Eigen::VectorXd y;
  ObservationSite site;
  double excess = 0.0;

  void archive(Archive& archive, const StateSpaceModel& model);
};

/// Later observations say more of earlier states, and so of what the lines and expansions that
/// stood for f and g missed: expectations of it are taken once more L steps later (3 L where f is
/// curved) and replace those of the step itself. It takes from the running ELBO what it had too
/// much (docs/method.md, "The running bound").
class LaggedExcess {
 public:
  LaggedExcess(int lag, int dim);

  /// The step in work, to be filled.
  LaggedStep& next() { return *steps_.front(); }
  /// The corrections for earlier steps that are due; `smoothed` is q_t(x_{t-1}).
  double update(const StateSpaceModel& model, const Gaussian& smoothed, RandomStream& random);
  /// Of those corrections, by their draws.
  double variance() const { return variance_; }
  void commit();
  void archive(Archive& archive, const StateSpaceModel& model);

 private:
  void go_back(const AffineGaussian& kernel);
  double observation_excess(const StateSpaceModel& model);
  double transition_excess(const StateSpaceModel& model, RandomStream& random);

  int lag_;
  std::vector<std::unique_ptr<LaggedStep>> steps_;  // [0] the next, [k] of k steps ago
  int count_ = 0;                                   // that are filled
  bool filled_ = false;                             // [0]
  double variance_ = 0.0;
  // Of the state at the place that was gone back to.
  Eigen::VectorXd mean_;
  Eigen::MatrixXd covariance_;
  Gaussian marginal_;
  ExpectedDerivatives derivatives_;
  Eigen::MatrixXd scratch_, slope_, points_, from_, to_;
  Eigen::VectorXd next_mean_, values_;
};

/// log f - log of the line that stands for it, at each pair of columns.
void transition_excess(const StateSpaceModel& model, const StepInput& input,
                       const AffineGaussian& line, const Eigen::MatrixXd& from,
                       const Eigen::MatrixXd& to, Eigen::MatrixXd& scratch, Eigen::VectorXd& out);
/// Of the mean of values whose second half is antithetic to the first.
double antithetic_variance(const Eigen::VectorXd& values);

}  // namespace ovf
