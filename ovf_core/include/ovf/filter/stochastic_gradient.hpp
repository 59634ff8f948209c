#pragma once

#include <Eigen/Core>

#include "ovf/filter/elbo_gradient.hpp"
#include "ovf/filter/inference.hpp"
#include "ovf/filter/online_variational_filter_config.hpp"
#include "ovf/math/random.hpp"

namespace ovf {

/// Algorithm 1 as written: M Adam steps on phi_t = {marginal, kernel} along the gradient of
/// ElboGradient.
class StochasticGradient final : public Inference {
 public:
  StochasticGradient(const ReparameterisedConfig& config, bool learn_kernel, std::uint64_t seed);

  int optimise(const StateSpaceModel& model, const Gaussian& prediction, bool restart,
               ValueRecursion& value, StepRecord& record) override;

  void commit(const StepView& step, ValueRecursion& value) override;
  void reject() override;
  void archive(Archive& archive) override;

  /// One estimate of the gradient of the objective with respect to phi_t from the given noise;
  /// phi_t is the marginal's parameters followed, after the first step, by the kernel's.
  void gradient(const StateSpaceModel& model, ValueRecursion& value, const StepRecord& record,
                const Eigen::MatrixXd& noise, const Eigen::MatrixXd& kernel_noise,
                Eigen::VectorXd& out);

 private:
  Eigen::Index kernel_parameter_count(const StepRecord& record) const;

  ReparameterisedConfig config_;
  bool learn_kernel_;
  RandomStream random_;
  RandomStream committed_random_;
  int steps_ = 0;
  ElboGradient elbo_;
  Eigen::MatrixXd noise_, kernel_noise_;
  Eigen::VectorXd phi_, last_kernel_, gradient_;
};

}  // namespace ovf
