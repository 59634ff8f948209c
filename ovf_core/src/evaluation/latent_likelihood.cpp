#include "ovf/evaluation/latent_likelihood.hpp"

#include <cmath>
#include <utility>

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 90;

double log_mean_exp(const Eigen::VectorXd& values) {
  const double largest = values.maxCoeff();
  if (!std::isfinite(largest)) return largest;
  return largest + std::log((values.array() - largest).exp().mean());
}

Eigen::MatrixXd draw(const Gaussian& q, int count, RandomStream& random) {
  Eigen::MatrixXd x(q.dim(), count);
  random.fill_normal(x);
  x = q.factor.lower() * x;
  x.colwise() += q.mean;
  return x;
}

}  // namespace

LatentLikelihood::LatentLikelihood(int samples, std::uint64_t seed)
    : samples_(samples), random_(seed, kStream) {}

void LatentLikelihood::add(const StateSpaceModel& model, const StepRecord& record) {
  if (record.first || !record.observed) return;
  Term term;
  term.input.control = record.input.control;
  term.from = draw(record.previous, samples_, random_);
  term.to = draw(record.marginal.gaussian(), samples_, random_);
  Eigen::VectorXd log_q;
  model.observation(record.input).log_density(record.y, term.to, term.log_weights);
  log_density(record.marginal.gaussian(), term.to, log_q);
  term.log_weights -= log_q;
  terms_.push_back(std::move(term));
}

double LatentLikelihood::average(const Transition& transition) const {
  double sum = 0.0;
  Eigen::MatrixXd from, to;
  Eigen::VectorXd log_f, values;
  for (const Term& term : terms_) {
    // Every x_k with every x_{k-1}.
    from = term.from.replicate(1, samples_);
    to.resize(term.to.rows(), from.cols());
    for (int n = 0; n < samples_; ++n) {
      to.middleCols(n * samples_, samples_).colwise() = term.to.col(n);
    }
    transition.log_density(term.input, from, to, log_f);
    values.resize(samples_);
    for (int n = 0; n < samples_; ++n) {
      values[n] = term.log_weights[n] + log_mean_exp(log_f.segment(n * samples_, samples_));
    }
    sum += log_mean_exp(values);
  }
  return terms_.empty() ? 0.0 : sum / static_cast<double>(terms_.size());
}

}  // namespace ovf
