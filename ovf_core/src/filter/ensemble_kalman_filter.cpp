#include "ovf/filter/ensemble_kalman_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 4;
// Members per batch: bounds the scratch space of models, and keeps it in the cache.
constexpr Eigen::Index kBlock = 1024;
constexpr double kRidge = 1e-9;
// Beyond this squared distance in standard deviations the members' differences drown in rounding.
constexpr double kFarthest = 1e24;

}  // namespace

void validate(const EnsembleKalmanFilterConfig& config) {
  if (config.members < 2) {
    throw std::invalid_argument(fmt::format("members is {}; expected at least 2", config.members));
  }
  if (!(config.inflation >= 1.0) || !std::isfinite(config.inflation)) {
    throw std::invalid_argument(
        fmt::format("inflation is {}; expected a factor of 1 or more", config.inflation));
  }
}

EnsembleKalmanFilter::EnsembleKalmanFilter(StateSpaceModel model,
                                           const EnsembleKalmanFilterConfig& config)
    : model_(std::move(model)),
      config_((validate(config), config)),
      random_(config.seed, kStream),
      belief_(standard_gaussian(model_.state_dim(), CovarianceForm::kFull)) {
  const Gaussian& prior = model_.prior();
  belief_.mean = prior.mean;
  belief_.factor.lower() = prior.factor.lower();
  prediction_ = posterior_ = belief_;
  next_.resize(prior.dim(), config.members);
  random_.fill_normal(next_);
  ensemble_.resize(prior.dim(), config.members);
  prior.factor.multiply(next_, ensemble_);
  ensemble_.colwise() += prior.mean;
}

const StepResult& EnsembleKalmanFilter::step(const Eigen::VectorXd& y, const StepInput& input) {
  result_.status =
      check_observation(y, input, model_.observation(input).observation_dim(), result_.reason);
  return result_.ok() ? advance(y, input) : result_;
}

const StepResult& EnsembleKalmanFilter::skip(const StepInput& input) {
  result_.status = check_input(input, result_.reason);
  return result_.ok() ? advance(Eigen::VectorXd(), input) : result_;
}

const StepResult& EnsembleKalmanFilter::advance(const Eigen::VectorXd& y, const StepInput& input) {
  // A step that is not taken leaves the random stream where it was, too.
  RandomStream random = random_;
  move(input, random);
  if (!measure(prediction_)) return reject("the predicted ensemble is not finite");
  if (result_.step > 0 && config_.inflation != 1.0) inflate();
  if (y.size() == 0) {
    gain_.clear();
    std::swap(belief_, prediction_);
  } else {
    model_.observation(input).linearise(prediction_, Linearisation::kExpected, observation_);
    if (!gain_.compute(prediction_, observation_, y)) {
      return reject("the innovation has no finite density");
    }
    if (gain_.nis() > kFarthest) return reject("the observation is too far from all members");
    update(y, random);
    if (!measure(posterior_)) return reject("the updated ensemble is not finite");
    std::swap(belief_, posterior_);
  }

  ensemble_.swap(next_);
  random_ = random;
  result_.innovation = gain_.innovation();
  result_.nis = gain_.nis();
  result_.elbo_increment = gain_.log_evidence();
  result_.elbo += result_.elbo_increment;
  result_.iterations = 1;
  ++result_.step;
  return result_;
}

void EnsembleKalmanFilter::move(const StepInput& input, RandomStream& random) {
  if (result_.step == 0) {
    next_ = ensemble_;
    return;
  }
  for (Eigen::Index first = 0; first < ensemble_.cols(); first += kBlock) {
    const Eigen::Index count = std::min(kBlock, ensemble_.cols() - first);
    from_ = ensemble_.middleCols(first, count);
    model_.transition().sample(input, from_, random, to_);
    next_.middleCols(first, count) = to_;
  }
}

void EnsembleKalmanFilter::inflate() {
  next_.colwise() -= prediction_.mean;
  next_ *= config_.inflation;
  next_.colwise() += prediction_.mean;
  prediction_.factor.lower() *= config_.inflation;
}

void EnsembleKalmanFilter::update(const Eigen::VectorXd& y, RandomStream& random) {
  drift_.setZero(y.size());
  for (Eigen::Index first = 0; first < next_.cols(); first += kBlock) {
    const Eigen::Index count = std::min(kBlock, next_.cols() - first);
    auto members = next_.middleCols(first, count);
    draws_.resize(y.size(), count);
    random.fill_normal(draws_);
    departures_.resize(y.size(), count);
    observation_.noise.multiply(draws_, departures_);
    drift_ += departures_.rowwise().sum();
    departures_.colwise() += y - observation_.offset;
    departures_.noalias() -= observation_.matrix * members;
    members.noalias() += gain_.gain() * departures_;
  }
  // The noise of the copies must not move the mean.
  drift_ = gain_.gain() * (drift_ / static_cast<double>(next_.cols()));
  next_.colwise() -= drift_;
}

bool EnsembleKalmanFilter::measure(Gaussian& out) {
  const Eigen::Index d = next_.rows();
  out.mean = next_.rowwise().mean();
  covariance_.setZero(d, d);
  for (Eigen::Index first = 0; first < next_.cols(); first += kBlock) {
    centred_ = next_.middleCols(first, std::min(kBlock, next_.cols() - first));
    centred_.colwise() -= out.mean;
    covariance_.selfadjointView<Eigen::Lower>().rankUpdate(centred_);
  }
  covariance_ /= static_cast<double>(next_.cols() - 1);
  if (next_.cols() <= d) covariance_.diagonal() *= 1.0 + kRidge;
  return out.mean.allFinite() && out.factor.assign_covariance(covariance_, scratch_);
}

const StepResult& EnsembleKalmanFilter::reject(const char* reason) {
  result_.status = StepStatus::kNumericalFailure;
  result_.reason = std::string("the step was not taken: ") + reason;
  return result_;
}

}  // namespace ovf
