#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>

#include "ovf/filter/joint_draws.hpp"
#include "ovf/model/state_space_model.hpp"
#include "ovf/posterior/backward_kernel.hpp"
#include "ovf/posterior/filter_marginal.hpp"
#include "ovf/posterior/tilted_conditional.hpp"

namespace ovf {

/// One time step of the posterior: phi_t and what it was fitted to. At the first step there is no
/// x_{t-1}: `previous` is the prior and the kernel has no meaning.
struct StepRecord {
  bool first = true;
  bool observed = true;  ///< false: no observation came, y is empty and g is left out
  StepInput input;
  Eigen::VectorXd y;
  Gaussian previous;                       ///< q_{t-1}(x_{t-1})
  FilterMarginal marginal;                 ///< q_t(x_t)
  std::unique_ptr<BackwardKernel> kernel;  ///< q_t(x_{t-1} | x_t)
  Gaussian prediction;                     ///< the Gaussian approximation of p(x_t | y^{t-1})
  /// The same two factors without the Gaussian restriction, where the filter finds them; then the
  /// Gaussian ones above only approximate them.
  std::optional<TiltedConditional> tilted_marginal, tilted_kernel;
  /// Mean and covariance of x_t under the tilted marginal, weighed by the model.
  Gaussian moments = {};
  /// What expectations under the tilted factors are taken over, while the step is in work.
  JointDraws draws = {};

  bool tilted() const { return tilted_marginal || tilted_kernel; }
  GivenObservation observation() const { return {y, input}; }
  /// The Gaussian nearest to what is known of x_t.
  const Gaussian& belief() const { return tilted_marginal ? moments : marginal.gaussian(); }
  StepRecord copy() const;
  /// Draws of x_t from q_t (columns) and their log densities.
  void draw(const StateSpaceModel& model, int count, RandomStream& random, Eigen::MatrixXd& x,
            Eigen::VectorXd& log_density) const;
  /// Draws of x_{t-1} from q_t( | x_t), one for each column of x_t.
  void draw_previous(const StateSpaceModel& model, const Eigen::MatrixXd& x, RandomStream& random,
                     Eigen::MatrixXd& previous_x, Eigen::VectorXd& log_density) const;

  void archive(Archive& archive, const StateSpaceModel& model);
};

}  // namespace ovf
