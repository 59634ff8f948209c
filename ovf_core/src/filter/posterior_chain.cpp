#include "ovf/filter/posterior_chain.hpp"

#include <cmath>

namespace ovf {

template <typename Visit>
Eigen::VectorXd PosteriorChain::draw(const StateSpaceModel& model, int samples,
                                     RandomStream& random, const Visit& visit) const {
  Eigen::MatrixXd x;
  Eigen::MatrixXd previous;
  Eigen::VectorXd log_q;
  Eigen::VectorXd term;
  Eigen::VectorXd log_ratio;
  records_.back().draw(model, samples, random, x, log_q);
  log_ratio = -log_q;
  for (std::size_t k = records_.size(); k-- > 0;) {
    const StepRecord& record = records_[k];
    visit(k, x);
    if (record.observed) {
      model.observation(record.input).log_density(record.y, x, term);
      log_ratio += term;
    }
    if (record.first) {
      log_density(record.previous, x, term);
      log_ratio += term;
      break;
    }
    record.draw_previous(model, x, random, previous, log_q);
    model.transition().log_density(record.input, previous, x, term);
    log_ratio += term - log_q;
    x.swap(previous);
  }
  return log_ratio;
}

PosteriorChain::Bound PosteriorChain::bound(const StateSpaceModel& model, int samples,
                                            RandomStream& random) const {
  const Eigen::ArrayXd log_ratio =
      draw(model, samples, random, [](std::size_t, const Eigen::MatrixXd&) {});
  Bound bound;
  bound.elbo = log_ratio.mean();
  const auto count = static_cast<double>(samples);
  bound.standard_error = std::sqrt((log_ratio - bound.elbo).square().mean() / count);
  const double largest = log_ratio.maxCoeff();
  const Eigen::ArrayXd weights = (log_ratio - largest).exp();
  bound.importance_weighted = largest + std::log(weights.mean());
  bound.effective_sample_size = weights.sum() * weights.sum() / weights.square().sum();
  return bound;
}

PosteriorChain::Marginals PosteriorChain::smoothed(const StateSpaceModel& model, int samples,
                                                   RandomStream& random) const {
  const auto steps = static_cast<Eigen::Index>(records_.size());
  Marginals marginals{Eigen::MatrixXd(model.state_dim(), steps),
                      Eigen::MatrixXd(model.state_dim(), steps)};
  draw(model, samples, random, [&](std::size_t k, const Eigen::MatrixXd& x) {
    const auto t = static_cast<Eigen::Index>(k);
    marginals.mean.col(t) = x.rowwise().mean();
    const auto centred = (x.colwise() - marginals.mean.col(t)).array();
    marginals.deviation.col(t) = centred.square().rowwise().mean().sqrt();
  });
  return marginals;
}

}  // namespace ovf
