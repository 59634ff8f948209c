#pragma once

#include <Eigen/Core>
#include <memory>

#include "ovf/math/adam.hpp"
#include "ovf/regression/kernel.hpp"
#include "ovf/regression/kernel_expansion.hpp"
#include "ovf/regression/kernel_system.hpp"
#include "ovf/regression/regressor.hpp"

namespace ovf {

struct KernelRidgeConfig {
  KernelKind kernel = KernelKind::kRbf;
  double ridge = 0.1;
  /// True: K + P ridge I, as in Algorithm 2. False: K + ridge I.
  bool ridge_times_points = true;
  /// 0: the median pairwise distance at the first fit. Later fits continue with the tuned one.
  double bandwidth = 0.0;
  double tune_learning_rate = 1e-2;
  /// Subtracts the mean of each output before the fit and adds it to predictions.
  bool centre_targets = false;
  /// Solves and predicts in float unless the ridge is too small for its digits.
  bool single_precision = true;
};

/// Kernel ridge regression R (K + P lambda I)^-1 k* (Algorithm 2). Predictions use scratch memory
/// of the object: one object must not serve two threads at a time.
class KernelRidge : public Regressor {
 public:
  /// Throws std::invalid_argument on a bad configuration.
  explicit KernelRidge(const KernelRidgeConfig& config);

  void fit(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets) override;

  /// One Adam step on log bandwidth down the mean squared error of the given samples and outputs,
  /// the fitted data fixed. The next tune or fit solves with the new bandwidth, predictions until
  /// then use the last one: a factorisation less per fit. Each fit starts a fresh Adam.
  void tune(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets) override;

  void predict(const Eigen::MatrixXd& inputs, Eigen::MatrixXd& outputs) const override;
  void continue_from(const Regressor& last) override;
  std::unique_ptr<Regressor> clone() const override;
  /// Without the samples of the fit: after reading, tune only after the next fit.
  void archive(Archive& archive, int inputs, int outputs) override;

  /// The derivative with respect to log bandwidth of the mean over samples and leading outputs of
  /// (prediction - target)^2.
  double tuning_gradient(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets) const;

  double bandwidth() const { return bandwidth_; }
  /// What the last solve added to the diagonal of K: more than configured if K was singular.
  double diagonal_ridge() const { return diagonal_ridge_; }

 private:
  template <typename Scalar>
  struct Solution {
    bool has_points = false;  // the system has those of the last fit
    KernelSystem<Scalar> system;
    Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic> weights;  // outputs x P
    KernelExpansion<Scalar> expansion;
  };

  void solve();
  template <typename Scalar>
  bool try_solve(Solution<Scalar>& solution);
  template <typename Scalar>
  double gradient(const Solution<Scalar>& solution, const Eigen::MatrixXd& inputs,
                  const Eigen::MatrixXd& targets) const;

  KernelRidgeConfig config_;
  Eigen::MatrixXd inputs_;
  Eigen::MatrixXd targets_;  // less target_mean_
  Eigen::VectorXd input_mean_;
  Eigen::VectorXd target_mean_;
  double bandwidth_ = 0.0;         // for the next solve
  double solved_bandwidth_ = 0.0;  // of the last
  double diagonal_ridge_ = 0.0;
  Adam adam_{1};
  // Which of the two holds the current solution.
  bool in_double_ = false;
  Solution<float> single_;
  Solution<double> double_;
};

}  // namespace ovf
