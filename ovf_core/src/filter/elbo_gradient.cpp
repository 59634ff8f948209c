#include "ovf/filter/elbo_gradient.hpp"

namespace ovf {

void ElboGradient::estimate(const StateSpaceModel& model, ValueRecursion& value,
                            const StepRecord& record, const Eigen::MatrixXd& noise,
                            const Eigen::MatrixXd& kernel_noise,
                            const Eigen::Ref<Eigen::VectorXd>& kernel_gradient) {
  const FilterMarginal& marginal = record.marginal;
  marginal.sample(noise, to_);
  if (!record.first) record.kernel->sample(to_, kernel_noise, from_);
  reward_.target_gradients(model, record, from_, to_, d_from_, d_to_);

  // log q_t and log k_t: through sample and parameters together only their entropies' gradients
  // remain; through the sample alone ("sticking the landing") the noise cancels at the optimum.
  if (!record.first) {
    if (value.state_gradient(model, from_, term_)) d_from_ += term_;
    record.kernel->pull_back(to_, d_from_, pulled_);
    d_to_ += pulled_;
    if (kernel_gradient.size() > 0) {
      if (path_derivative_) {
        term_ = kernel_noise;
        record.kernel->noise().unwhiten_transposed(term_);
        d_from_ += term_;
      }
      record.kernel->parameter_gradient(to_, d_from_, kernel_noise, kernel_gradient);
      if (!path_derivative_) record.kernel->add_entropy_gradient(kernel_gradient);
    }
  }
  if (path_derivative_) {
    term_ = noise;
    marginal.gaussian().factor.unwhiten_transposed(term_);
    d_to_ += term_;
  }
}

}  // namespace ovf
