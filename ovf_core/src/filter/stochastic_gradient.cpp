#include "ovf/filter/stochastic_gradient.hpp"

#include <limits>

#include "ovf/math/adam.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 1;

}  // namespace

StochasticGradient::StochasticGradient(const ReparameterisedConfig& config, bool learn_kernel,
                                       std::uint64_t seed)
    : config_(config),
      learn_kernel_(learn_kernel),
      random_(seed, kStream),
      committed_random_(random_),
      elbo_(config.path_derivative) {}

Eigen::Index StochasticGradient::kernel_parameter_count(const StepRecord& record) const {
  return record.first || !learn_kernel_ ? 0 : record.kernel->parameter_count();
}

int StochasticGradient::optimise(const StateSpaceModel& model, const Gaussian& /*prediction*/,
                                 bool /*restart*/, ValueRecursion& value, StepRecord& record) {
  const Eigen::Index d = record.marginal.dim();
  const Eigen::Index marginal_count = record.marginal.parameter_count();
  const Eigen::Index kernel_count = kernel_parameter_count(record);
  phi_.resize(marginal_count + kernel_count);
  record.marginal.read_parameters(phi_.head(marginal_count));
  if (kernel_count > 0) record.kernel->read_parameters(phi_.tail(kernel_count));
  noise_.resize(d, config_.samples);
  kernel_noise_.resize(d, config_.samples);

  Adam adam(phi_.size());
  double rate = steps_ < 2 ? config_.first_learning_rate : config_.learning_rate;
  for (int iteration = 0; iteration < config_.iterations; ++iteration) {
    if (config_.antithetic) {
      random_.fill_normal_antithetic(noise_);
      random_.fill_normal_antithetic(kernel_noise_);
    } else {
      random_.fill_normal(noise_);
      random_.fill_normal(kernel_noise_);
    }
    gradient(model, value, record, noise_, kernel_noise_, gradient_);
    if (!gradient_.allFinite()) return 0;
    last_kernel_ = phi_.tail(kernel_count);
    adam.step(-gradient_, rate, phi_);
    if (config_.kernel_learning_rate > 0.0) {
      // Adam's steps are proportional to the rate.
      const double ratio = config_.kernel_learning_rate / config_.learning_rate;
      phi_.tail(kernel_count) = last_kernel_ + ratio * (phi_.tail(kernel_count) - last_kernel_);
    }
    rate *= config_.decay;
    record.marginal.write_parameters(phi_.head(marginal_count));
    if (kernel_count > 0) record.kernel->write_parameters(phi_.tail(kernel_count));
    report(iteration + 1, record);
  }
  return config_.iterations;
}

void StochasticGradient::commit(const StepView& /*step*/, ValueRecursion& /*value*/) {
  committed_random_ = random_;
  ++steps_;
}

void StochasticGradient::reject() { random_ = committed_random_; }

void StochasticGradient::gradient(const StateSpaceModel& model, ValueRecursion& value,
                                  const StepRecord& record, const Eigen::MatrixXd& noise,
                                  const Eigen::MatrixXd& kernel_noise, Eigen::VectorXd& out) {
  const Eigen::Index marginal_count = record.marginal.parameter_count();
  const Eigen::Index kernel_count = kernel_parameter_count(record);
  out.resize(marginal_count + kernel_count);
  elbo_.estimate(model, value, record, noise, kernel_noise, out.tail(kernel_count));
  auto marginal_gradient = out.head(marginal_count);
  record.marginal.parameter_gradient(elbo_.by_state(), noise, marginal_gradient);
  if (!config_.path_derivative) record.marginal.add_entropy_gradient(marginal_gradient);
}

void StochasticGradient::archive(Archive& archive) {
  random_.archive(archive);
  committed_random_ = random_;
  archive.integer("steps of the inner loop", steps_, 0, std::numeric_limits<int>::max() - 1);
}

}  // namespace ovf
