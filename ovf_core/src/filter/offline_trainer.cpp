#include "ovf/filter/offline_trainer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "ovf/filter/filter.hpp"
#include "ovf/math/adam.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 7;

void require(bool ok, const char* key, double value, const char* expected) {
  if (!ok) throw std::invalid_argument(fmt::format("{} is {}; expected {}", key, value, expected));
}

// Calls visit(factor, first, count) with the place of each factor's parameters in phi; returns
// their number.
template <typename Records, typename Visit>
Eigen::Index visit_factors(Records records, const Visit& visit) {
  Eigen::Index next = 0;
  const auto place = [&](auto& factor) {
    const Eigen::Index count = factor.parameter_count();
    visit(factor, next, count);
    next += count;
  };
  for (std::size_t k = 1; k < records.size(); ++k) place(*records[k].kernel);
  place(records.back().marginal);
  return next;
}

Eigen::Index parameter_count(std::span<const StepRecord> records) {
  return visit_factors(records, [](const auto&, Eigen::Index, Eigen::Index) {});
}

// Mean over the noise of -log N(L e; 0, L L').
double surprise(const CovarianceFactor& factor, const Eigen::MatrixXd& noise) {
  return factor.log_determinant() + 0.5 * factor.dim() * kLogTwoPi +
         0.5 * noise.squaredNorm() / static_cast<double>(noise.cols());
}

std::string fault(const StateSpaceModel& model, const StepRecord& record, bool first) {
  const int d = model.state_dim();
  if (record.first != first) return first ? "is not a first step" : "is a first step";
  if (record.marginal.dim() != d || !record.kernel || record.kernel->noise().dim() != d ||
      (first && record.previous.dim() != d)) {
    return fmt::format("has a factor of another dimension than the model's {}", d);
  }
  std::string reason;
  if (record.observed) {
    check_observation(record.y, record.input, model.observation(record.input).observation_dim(),
                      reason);
  } else {
    check_input(record.input, reason);
  }
  return reason;
}

}  // namespace

Eigen::VectorXd read_chain_parameters(std::span<const StepRecord> records) {
  Eigen::VectorXd phi(parameter_count(records));
  visit_factors(records, [&](const auto& factor, Eigen::Index first, Eigen::Index count) {
    factor.read_parameters(phi.segment(first, count));
  });
  return phi;
}

void write_chain_parameters(const Eigen::VectorXd& phi, std::span<StepRecord> records) {
  visit_factors(records, [&](auto& factor, Eigen::Index first, Eigen::Index count) {
    factor.write_parameters(phi.segment(first, count));
  });
}

std::vector<StepRecord> make_records(const StateSpaceModel& model,
                                     const Eigen::MatrixXd& observations,
                                     const FilterMarginal& marginal, const BackwardKernel& kernel) {
  std::vector<StepRecord> records(static_cast<std::size_t>(observations.cols()));
  for (std::size_t k = 0; k < records.size(); ++k) {
    StepRecord& record = records[k];
    record.first = k == 0;
    record.y = observations.col(static_cast<Eigen::Index>(k));
    record.previous = record.first ? model.prior() : marginal.gaussian();
    record.marginal = marginal;
    record.kernel = kernel.clone();
  }
  return records;
}

OfflineTrainer::OfflineTrainer(const OfflineTrainerConfig& config) : config_(config) {
  require(config.iterations >= 1, "iterations", config.iterations, "at least 1");
  require(config.samples >= 1, "samples", config.samples,
          "at least 1 (an empty batch has no gradient)");
  require(config.learning_rate > 0.0 && std::isfinite(config.learning_rate), "learning_rate",
          config.learning_rate, "a positive rate");
  require(config.decay > 0.0 && config.decay <= 1.0, "decay", config.decay, "a factor in (0, 1]");
  require(config.warm_iterations >= 0, "warm_iterations", config.warm_iterations, "0 or more");
}

OfflineTrainer::Result OfflineTrainer::train(const StateSpaceModel& model,
                                             std::vector<StepRecord> records) {
  if (records.empty()) throw std::invalid_argument("the sequence is empty; expected observations");
  for (std::size_t k = 0; k < records.size(); ++k) {
    const std::string reason = fault(model, records[k], k == 0);
    if (!reason.empty()) throw std::invalid_argument(fmt::format("step {}: {}", k + 1, reason));
    records[k].tilted_marginal.reset();
    records[k].tilted_kernel.reset();
  }
  RandomStream random(config_.seed, kStream);
  const std::span<StepRecord> all(records);
  if (config_.warm_iterations > 0) {
    for (std::size_t terms = 1; terms <= all.size(); ++terms) {
      maximise(model, all.first(terms), config_.warm_iterations, random);
    }
  }
  Result result;
  result.elbo = maximise(model, all, config_.iterations, random);
  for (const StepRecord& record : records) result.chain.append(record);
  return result;
}

Eigen::VectorXd OfflineTrainer::maximise(const StateSpaceModel& model,
                                         std::span<StepRecord> records, int iterations,
                                         RandomStream& random) {
  Eigen::VectorXd phi = read_chain_parameters(records);
  Eigen::VectorXd gradient;
  Eigen::VectorXd estimates(iterations);
  Adam adam(phi.size());
  double rate = config_.learning_rate;
  noise_.resize(records.size());
  for (int iteration = 0; iteration < iterations; ++iteration) {
    for (Eigen::MatrixXd& noise : noise_) {
      noise.resize(model.state_dim(), config_.samples);
      if (config_.antithetic) {
        random.fill_normal_antithetic(noise);
      } else {
        random.fill_normal(noise);
      }
    }
    const double estimate = elbo(model, records, noise_, gradient);
    if (!std::isfinite(estimate) || !gradient.allFinite()) {
      throw std::runtime_error(fmt::format(
          "the ELBO of {} observations is not finite at iteration {}; lower learning_rate or raise "
          "warm_iterations",
          records.size(), iteration + 1));
    }
    adam.step(-gradient, rate, phi);
    rate *= config_.decay;
    write_chain_parameters(phi, records);
    estimates[iteration] = estimate;
    if (observer_) observer_(static_cast<int>(records.size()), iteration + 1, estimate);
  }
  return estimates;
}

double OfflineTrainer::elbo(const StateSpaceModel& model, std::span<const StepRecord> records,
                            const std::vector<Eigen::MatrixXd>& noise, Eigen::VectorXd& gradient) {
  const std::size_t steps = records.size();
  x_.resize(steps);
  records.back().marginal.sample(noise[steps - 1], x_[steps - 1]);
  for (std::size_t k = steps - 1; k > 0; --k) {
    records[k].kernel->sample(x_[k], noise[k - 1], x_[k - 1]);
  }

  gradient.resize(parameter_count(records));
  Eigen::Index next = 0;
  double sum = 0.0;
  // log q: through sample and parameters together only the gradients of its entropies remain;
  // through the sample alone ("sticking the landing") the noise cancels at the optimum.
  const auto add_path = [&](const CovarianceFactor& factor, const Eigen::MatrixXd& draws) {
    if (!config_.path_derivative) return;
    term_ = draws;
    factor.unwhiten_transposed(term_);
    cotangent_ += term_;
  };
  for (std::size_t k = 0; k < steps; ++k) {
    const StepRecord& record = records[k];
    if (k == 0) {
      log_density(record.previous, x_[0], value_);
      log_density_gradient(record.previous, x_[0], cotangent_);
    } else {
      model.transition().log_density(record.input, x_[k - 1], x_[k], value_);
      model.transition().gradients(record.input, x_[k - 1], x_[k], d_from_, d_to_);
      cotangent_ += d_from_;  // now of all terms that x_{k-1} has a part in
      const BackwardKernel& kernel = *record.kernel;
      kernel.pull_back(x_[k], cotangent_, term_);
      d_to_ += term_;
      add_path(kernel.noise(), noise[k - 1]);
      auto part = gradient.segment(next, kernel.parameter_count());
      kernel.parameter_gradient(x_[k], cotangent_, noise[k - 1], part);
      if (!config_.path_derivative) kernel.add_entropy_gradient(part);
      next += part.size();
      sum += surprise(kernel.noise(), noise[k - 1]);
      cotangent_.swap(d_to_);
    }
    sum += value_.mean();
    if (!record.observed) continue;
    model.observation(record.input).log_density(record.y, x_[k], value_);
    model.observation(record.input).gradient(record.y, x_[k], term_);
    sum += value_.mean();
    cotangent_ += term_;
  }
  const FilterMarginal& marginal = records.back().marginal;
  add_path(marginal.gaussian().factor, noise[steps - 1]);
  auto part = gradient.tail(marginal.parameter_count());
  marginal.parameter_gradient(cotangent_, noise[steps - 1], part);
  if (!config_.path_derivative) marginal.add_entropy_gradient(part);
  return sum + surprise(marginal.gaussian().factor, noise[steps - 1]);
}

}  // namespace ovf
