#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "math/random_inputs.hpp"
#include "ovf/filter/offline_trainer.hpp"
#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/filter/regressed_value.hpp"
#include "ovf/posterior/amortised_kernel.hpp"

namespace ovf::test {

/// A short posterior whose kernels have one vector of weights in common: the marginals and the
/// closed forms of the fast filter, contexts and weights drawn at random, so that nothing about the
/// kernels is optimal.
inline std::vector<StepRecord> shared_kernel_sequence(StateSpaceModel model,
                                                      const Eigen::MatrixXd& observations,
                                                      const std::vector<int>& hidden_layers,
                                                      std::uint64_t seed) {
  const int d = model.state_dim();
  const int context_dim = 3;
  OnlineVariationalFilter filter(std::move(model), {});
  RandomInputs inputs(seed);
  AmortisedKernel kernel(d, context_dim, hidden_layers, Activation::kTanh, CovarianceForm::kFull,
                         seed);
  Eigen::VectorXd weights(kernel.parameter_count());
  kernel.read_parameters(weights);
  kernel.write_parameters(weights + 0.2 * inputs.vector(kernel.parameter_count()));
  std::vector<StepRecord> records;
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    EXPECT_TRUE(filter.step(observations.col(t)).ok());
    StepRecord record = filter.record().copy();
    if (!record.first) {
      kernel.assign(*record.kernel->affine());
      kernel.set_scales(record.prediction, record.previous);
      kernel.set_context(inputs.vector(context_dim));
    }
    record.kernel = kernel.clone();
    records.push_back(std::move(record));
  }
  return records;
}

/// Each step of a sequence as a recursion sees it, the ones before it behind it.
class StepViews {
 public:
  StepViews(const StateSpaceModel& model, const std::vector<StepRecord>& records) : model_(model) {
    for (const StepRecord& record : records) {
      auto& chain = chains_.emplace_back(chains_.empty() ? Chain{} : chains_.back());
      chain.insert(chain.begin(), &record);
    }
  }
  StepView at(std::size_t t) const { return {model_, *chains_[t][0], chains_[t], transition_}; }
  /// The steps before it, newest first.
  std::vector<const StepRecord*> before(std::size_t t) const {
    return t == 0 ? Chain{} : chains_[t - 1];
  }

 private:
  using Chain = std::vector<const StepRecord*>;
  const StateSpaceModel& model_;
  std::vector<Chain> chains_;
  AffineGaussian transition_;
};

/// grad L_t with respect to the shared weights, t being the last of the records: the sum of those
/// of all kernels, by draws of the whole x_{1:t}.
inline Eigen::VectorXd brute_force_gradient(const StateSpaceModel& model,
                                            std::span<const StepRecord> records, int samples,
                                            RandomStream& random) {
  OfflineTrainerConfig config;
  config.path_derivative = true;
  std::vector<Eigen::MatrixXd> noise(records.size(), Eigen::MatrixXd(model.state_dim(), samples));
  for (Eigen::MatrixXd& one : noise) random.fill_normal_antithetic(one);
  Eigen::VectorXd all;
  OfflineTrainer(config).elbo(model, records, noise, all);
  const Eigen::Index count = records[0].kernel->parameter_count();
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(count);
  for (std::size_t k = 1; k < records.size(); ++k) {
    sum += all.segment(static_cast<Eigen::Index>(k - 1) * count, count);
  }
  return sum;
}

/// T_{t-1} without regression: one draw of the whole past for each x_{t-1}. It has no bias, and
/// everything that uses it is linear in it.
class SampledValue final : public ValueRecursion {
 public:
  SampledValue(int longest, std::uint64_t seed)
      : random_(seed), targets_(RegressionConfig{}, true, longest, seed) {}

  /// StepViews::before.
  void set_past(std::vector<const StepRecord*> past) { past_ = std::move(past); }

  bool state_gradient(const StateSpaceModel& model, const Eigen::MatrixXd& x,
                      Eigen::MatrixXd& out) override {
    if (past_.empty()) return false;
    samples_.x.resize(past_.size());
    samples_.x[0] = x;
    noise_.resize(x.rows(), x.cols());
    for (std::size_t k = 0; k + 1 < past_.size(); ++k) {
      random_.fill_normal(noise_);
      past_[k]->kernel->sample(samples_.x[k], noise_, samples_.x[k + 1]);
    }
    targets_.targets({model, *past_[0], past_, transition_}, samples_, both_);
    out = both_.topRows(x.rows());
    return true;
  }
  double update(const StepView& /*step*/) override { return 0.0; }
  void commit() override {}
  void archive(Archive& /*archive*/, const StateSpaceModel& /*model*/) override {}

 private:
  RandomStream random_;
  RegressedValue targets_;
  std::vector<const StepRecord*> past_;
  BackwardSamples samples_;
  AffineGaussian transition_;
  Eigen::MatrixXd noise_, both_;
};

}  // namespace ovf::test
