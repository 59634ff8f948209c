#include "ovf/filter/bootstrap_particle_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "ovf/filter/systematic_resampling.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 5;
// Particles per batch: bounds the scratch space of models, and keeps it in the cache.
constexpr Eigen::Index kBlock = 2048;
constexpr double kRidge = 1e-9;
// The least log weight of the best particle. Below, the differences between log weights, which are
// all that counts, drown in rounding; a Gaussian g gets there at some 45,000 standard deviations.
constexpr double kFaintest = -1e9;

// Weighted mean and covariance in one pass. Sums are taken around a particle: sums of squares then
// lose no digits.
class WeightedMoments {
 public:
  void start(const Eigen::VectorXd& around) {
    shift_ = around;
    total_ = 0.0;
    first_.setZero(shift_.size());
    second_.setZero(shift_.size(), shift_.size());
  }

  void add(const Eigen::Ref<const Eigen::MatrixXd>& x,
           const Eigen::Ref<const Eigen::VectorXd>& weights) {
    centred_ = x.colwise() - shift_;
    weighted_ = centred_ * weights.asDiagonal();
    total_ += weights.sum();
    first_ += weighted_.rowwise().sum();
    second_.noalias() += weighted_ * centred_.transpose();
  }

  Eigen::VectorXd mean() const { return shift_ + first_ / total_; }
  Eigen::MatrixXd covariance() const {
    return second_ / total_ - (first_ / total_) * (first_ / total_).transpose();
  }

 private:
  Eigen::VectorXd shift_;
  double total_ = 0.0;
  Eigen::VectorXd first_;
  Eigen::MatrixXd second_;
  Eigen::MatrixXd centred_;
  Eigen::MatrixXd weighted_;
};

// The Gaussian with these moments, where weights of this effective sample size made them.
bool assign_moments(const WeightedMoments& moments, double effective_sample_size,
                    const Eigen::MatrixXd& particles, Gaussian& out) {
  out.mean = moments.mean();
  Eigen::MatrixXd covariance = moments.covariance();
  if (effective_sample_size <= static_cast<double>(out.dim())) {
    const Eigen::VectorXd centre = particles.rowwise().mean();
    covariance.diagonal() +=
        kRidge * (particles.colwise() - centre).rowwise().squaredNorm() / particles.cols();
  }
  Eigen::MatrixXd scratch;
  return out.mean.allFinite() && out.factor.assign_covariance(covariance, scratch);
}

// A particle that overflowed, or that g cannot judge, dies: no weight, its parent for a place.
void bury(const Eigen::MatrixXd& from, Eigen::MatrixXd& to, Eigen::VectorXd& log_g) {
  if (std::isfinite(to.sum()) && std::isfinite(log_g.sum())) return;
  for (Eigen::Index i = 0; i < to.cols(); ++i) {
    if (to.col(i).allFinite() && std::isfinite(log_g[i])) continue;
    to.col(i) = from.col(i);
    log_g[i] = -std::numeric_limits<double>::infinity();
  }
}

}  // namespace

void validate(const BootstrapParticleFilterConfig& config) {
  if (config.particles < 2) {
    throw std::invalid_argument(
        fmt::format("particles is {}; expected at least 2", config.particles));
  }
  if (!(config.resample_below >= 0.0 && config.resample_below <= 1.0)) {
    throw std::invalid_argument(
        fmt::format("resample_below is {}; expected a share in [0, 1]", config.resample_below));
  }
}

BootstrapParticleFilter::BootstrapParticleFilter(StateSpaceModel model,
                                                 const BootstrapParticleFilterConfig& config)
    : model_(std::move(model)),
      config_((validate(config), config)),
      random_(config.seed, kStream),
      particles_(model_.state_dim(), config.particles),
      weights_(Eigen::VectorXd::Constant(config.particles, 1.0 / config.particles)),
      effective_sample_size_(config.particles),
      belief_(standard_gaussian(model_.state_dim(), CovarianceForm::kFull)),
      parents_(config.particles),
      next_particles_(model_.state_dim(), config.particles),
      next_weights_(config.particles) {
  const Gaussian& prior = model_.prior();
  belief_.mean = prior.mean;
  belief_.factor.lower() = prior.factor.lower();
  prediction_ = posterior_ = belief_;
  random_.fill_normal(next_particles_);
  prior.factor.multiply(next_particles_, particles_);
  particles_.colwise() += prior.mean;
}

const StepResult& BootstrapParticleFilter::step(const Eigen::VectorXd& y, const StepInput& input) {
  result_.status =
      check_observation(y, input, model_.observation(input).observation_dim(), result_.reason);
  return result_.ok() ? advance(y, input) : result_;
}

const StepResult& BootstrapParticleFilter::skip(const StepInput& input) {
  result_.status = check_input(input, result_.reason);
  return result_.ok() ? advance(Eigen::VectorXd(), input) : result_;
}

const StepResult& BootstrapParticleFilter::advance(const Eigen::VectorXd& y,
                                                   const StepInput& input) {
  // A step that is not taken leaves the random stream where it was, too.
  RandomStream random = random_;
  choose_parents(random);
  if (!move_and_weigh(y, input, random)) return reject("the prediction is not finite");
  if (!normalise()) {
    return reject(
        fmt::format("no particle comes near the observation: the largest log weight is {}",
                    next_weights_[heaviest_]));
  }
  if (!measure_posterior()) return reject("the particles' mean or covariance is not finite");
  if (y.size() == 0) {
    gain_.clear();
  } else {
    model_.observation(input).linearise(prediction_, Linearisation::kExpected, observation_);
    if (!gain_.compute(prediction_, observation_, y)) {
      return reject("the innovation has no finite density");
    }
  }

  particles_.swap(next_particles_);
  weights_.swap(next_weights_);
  effective_sample_size_ = next_sample_size_;
  std::swap(belief_, posterior_);
  if (result_.step > 0) smoothed_previous_ = parent_mean_;
  random_ = random;
  result_.innovation = gain_.innovation();
  result_.nis = gain_.nis();
  result_.elbo_increment = log_evidence_;
  result_.elbo += log_evidence_;
  result_.iterations = 1;
  ++result_.step;
  return result_;
}

void BootstrapParticleFilter::choose_parents(RandomStream& random) {
  resampled_ = effective_sample_size_ < config_.resample_below * config_.particles;
  if (resampled_) systematic_resampling(weights_, random.uniform(), parents_);
}

void BootstrapParticleFilter::gather_parents(Eigen::Index first, Eigen::Index count) {
  if (!resampled_) {
    from_ = particles_.middleCols(first, count);
    return;
  }
  from_.resize(particles_.rows(), count);
  for (Eigen::Index i = 0; i < count; ++i) from_.col(i) = particles_.col(parents_[first + i]);
}

bool BootstrapParticleFilter::move_and_weigh(const Eigen::VectorXd& y, const StepInput& input,
                                             RandomStream& random) {
  WeightedMoments moments;
  for (Eigen::Index first = 0; first < particles_.cols(); first += kBlock) {
    const Eigen::Index count = std::min(kBlock, particles_.cols() - first);
    gather_parents(first, count);
    if (result_.step == 0) {
      to_ = from_;
    } else {
      model_.transition().sample(input, from_, random, to_);
    }
    if (y.size() == 0) {
      log_g_.setZero(count);
    } else {
      model_.observation(input).log_density(y, to_, log_g_);
    }
    bury(from_, to_, log_g_);
    if (resampled_) {
      old_weights_.setConstant(count, 1.0 / config_.particles);
    } else {
      old_weights_ = weights_.segment(first, count);
    }
    if (first == 0) moments.start(to_.col(0));
    moments.add(to_, old_weights_);
    next_particles_.middleCols(first, count) = to_;
    next_weights_.segment(first, count) = log_g_.array() + old_weights_.array().log();
  }
  const double sample_size = resampled_ ? config_.particles : effective_sample_size_;
  return assign_moments(moments, sample_size, next_particles_, prediction_);
}

bool BootstrapParticleFilter::normalise() {
  const double best = next_weights_.maxCoeff(&heaviest_);
  if (!(best > kFaintest)) return false;
  next_weights_.array() = (next_weights_.array() - best).exp();
  const double sum = next_weights_.sum();
  log_evidence_ = best + std::log(sum);
  next_weights_ /= sum;
  next_sample_size_ = 1.0 / next_weights_.squaredNorm();
  return true;
}

bool BootstrapParticleFilter::measure_posterior() {
  WeightedMoments moments;
  moments.start(next_particles_.col(heaviest_));
  parent_mean_.setZero(particles_.rows());
  for (Eigen::Index first = 0; first < particles_.cols(); first += kBlock) {
    const Eigen::Index count = std::min(kBlock, particles_.cols() - first);
    const auto weights = next_weights_.segment(first, count);
    moments.add(next_particles_.middleCols(first, count), weights);
    gather_parents(first, count);
    parent_mean_.noalias() += from_ * weights;
  }
  return assign_moments(moments, next_sample_size_, next_particles_, posterior_);
}

const StepResult& BootstrapParticleFilter::reject(const std::string& reason) {
  result_.status = StepStatus::kNumericalFailure;
  result_.reason = "the step was not taken: " + reason;
  return result_;
}

}  // namespace ovf
