#include "ovf/filter/kernel_score.hpp"

#include <stdexcept>
#include <utility>

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 9;

}  // namespace

KernelScore::KernelScore(const RegressionConfig& config, std::uint64_t seed)
    : config_(config),
      random_(seed, kStream),
      committed_random_(random_),
      last_(config),
      next_(config) {}

void KernelScore::begin(const StepRecord& record) {
  if (!last_.fitted()) return;
  noise_.resize(record.previous.dim(), config_.points);
  random_.fill_normal_antithetic(noise_);
  previous_marginal_.gaussian() = record.previous;
  previous_marginal_.sample(noise_, from_);
  last_.evaluate(from_, term_);
  previous_mean_ = term_.rowwise().mean();
}

void KernelScore::add_increment(const Eigen::MatrixXd& previous,
                                Eigen::Ref<Eigen::VectorXd> gradient) const {
  if (!last_.fitted()) return;
  last_.evaluate(previous, term_);
  gradient += term_.rowwise().mean() - previous_mean_;
}

void KernelScore::targets(const StepView& step, ValueRecursion& value, const Eigen::MatrixXd& to,
                          const Eigen::MatrixXd& kernel_noise, Eigen::MatrixXd& out) {
  const BackwardKernel& kernel = *step.record.kernel;
  kernel.sample(to, kernel_noise, from_);
  // (T_{t-1} + dr/dx_{t-1}) dx_{t-1}/dphi; log k_t contributes the gradient of its entropy, which
  // is the same for all draws and cancels like every constant of U.
  reward_.target_gradients(step.model, step.record, from_, to, d_from_, d_to_);
  if (value.state_gradient(step.model, from_, term_)) d_from_ += term_;
  out.resize(kernel.parameter_count(), to.cols());
  for (Eigen::Index n = 0; n < to.cols(); ++n) {
    one_to_ = to.col(n);
    one_cotangent_ = d_from_.col(n);
    one_noise_ = kernel_noise.col(n);
    kernel.parameter_gradient(one_to_, one_cotangent_, one_noise_, out.col(n));
  }
  if (!last_.fitted()) return;
  last_.evaluate(from_, term_);
  out += term_;
}

void KernelScore::update(const StepView& step, ValueRecursion& value) {
  if (!step.record.first) fit(step, value);
  committed_random_ = random_;
}

void KernelScore::fit(const StepView& step, ValueRecursion& value) {
  const Eigen::Index d = step.record.marginal.dim();
  noise_.resize(d, config_.points);
  kernel_noise_.resize(d, config_.points);
  random_.fill_normal_antithetic(noise_);
  // The same noise of x_{t-1} for both of a mirrored pair: what it adds to U cancels in slopes.
  const Eigen::Index pairs = kernel_noise_.cols() / 2;
  random_.fill_normal(kernel_noise_);
  kernel_noise_.middleCols(pairs, pairs) = kernel_noise_.leftCols(pairs);
  step.record.marginal.sample(noise_, to_);
  targets(step, value, to_, kernel_noise_, targets_);
  if (!targets_.allFinite()) return;  // U_{t-1} stands in for one step
  const Eigen::VectorXd mean = targets_.rowwise().mean();
  targets_.colwise() -= mean;
  next_.continue_from(last_);
  try {
    next_.fit(step.record.marginal.gaussian(), to_, targets_);
  } catch (const std::invalid_argument&) {
    return;  // points that do not determine a function
  }
  std::swap(last_, next_);
}

void KernelScore::restart() {
  last_ = RegressedFunction(config_);
  next_ = RegressedFunction(config_);
}

void KernelScore::archive(Archive& archive, int dim, int outputs) {
  random_.archive(archive);
  committed_random_ = random_;
  archive.expect("regressor of U", static_cast<int>(config_.regressor.kind));
  last_.archive(archive, dim, outputs);
}

}  // namespace ovf
