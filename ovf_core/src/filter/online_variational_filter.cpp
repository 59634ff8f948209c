#include "ovf/filter/online_variational_filter.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "ovf/filter/natural_gradient.hpp"
#include "ovf/filter/quadratic_score.hpp"
#include "ovf/filter/quadratic_value.hpp"
#include "ovf/filter/regressed_score.hpp"
#include "ovf/filter/regressed_value.hpp"
#include "ovf/filter/stochastic_gradient.hpp"
#include "ovf/posterior/affine_kernel.hpp"

namespace ovf {
namespace {

bool learns_kernel(const OnlineVariationalFilterConfig& config) {
  return config.kernel != KernelFamily::kClosedForm && config.objective != Objective::kAelbo1;
}

std::unique_ptr<Inference> make_inference(const OnlineVariationalFilterConfig& config, int dim) {
  if (config.inference == InferenceMethod::kNaturalGradient) {
    return std::make_unique<NaturalGradient>(config.natural_gradient, dim);
  }
  return std::make_unique<StochasticGradient>(config.reparameterised, learns_kernel(config),
                                              config.seed);
}

std::unique_ptr<ValueRecursion> make_value(const OnlineVariationalFilterConfig& config, int dim) {
  const bool recursive = config.objective == Objective::kElbo;
  if (config.value == RecursionMethod::kClosedForm) {
    return std::make_unique<QuadraticValue>(dim, recursive);
  }
  return std::make_unique<RegressedValue>(config.value_regression, recursive, config.lookback,
                                          config.seed);
}

std::unique_ptr<ScoreRecursion> make_score(const OnlineVariationalFilterConfig& config,
                                           const StateSpaceModel& model) {
  if (config.learning.rule == LearningRule::kNone || model.parameters().size() == 0) return nullptr;
  const bool recursive = config.objective == Objective::kElbo;
  if (config.score == RecursionMethod::kRegression) {
    return std::make_unique<RegressedScore>(config.score_regression, recursive, config.lookback,
                                            config.score_samples, config.seed);
  }
  if (!model.has_closed_form_scores()) {
    throw std::invalid_argument(
        "score is closed_form, but this model has no closed-form scores; expected score: "
        "regression");
  }
  const bool information = config.learning.rule == LearningRule::kSecondOrder;
  return std::make_unique<QuadraticScore>(model, recursive, information);
}

std::unique_ptr<StepRecord> make_record(const OnlineVariationalFilterConfig& config,
                                        const StateSpaceModel& model) {
  const int d = model.state_dim();
  auto record = std::make_unique<StepRecord>();
  record->previous = model.prior();
  record->marginal = FilterMarginal(standard_gaussian(d, config.marginal));
  // AELBO-1's kernel is q_{t-1} itself, whatever its form.
  const bool independent = config.objective == Objective::kAelbo1;
  record->kernel = std::make_unique<AffineKernel>(
      d,
      config.kernel == KernelFamily::kAffineDiagonal ? CovarianceForm::kDiagonal
                                                     : CovarianceForm::kFull,
      independent ? config.marginal : config.kernel_noise);
  return record;
}

// q := p in q's own form: a mean-field q takes p's standard deviations.
void assign_marginal(const Gaussian& p, Gaussian& q) {
  q.mean = p.mean;
  if (q.factor.is_diagonal()) {
    q.factor.lower().diagonal() = p.factor.lower().rowwise().norm();
  } else {
    q.factor.lower() = p.factor.lower();
  }
}

}  // namespace

OnlineVariationalFilter::OnlineVariationalFilter(StateSpaceModel model,
                                                 const OnlineVariationalFilterConfig& config)
    : model_(std::move(model)),
      config_((validate(config), config)),
      inference_(make_inference(config, model_.state_dim())),
      value_(make_value(config, model_.state_dim())),
      score_(make_score(config, model_)),
      learner_(config.learning, model_.parameters()),
      prediction_(standard_gaussian(model_.state_dim(), CovarianceForm::kFull)),
      innovation_factor_(model_.observation_dim(), CovarianceForm::kFull) {
  for (int k = 0; k <= config.lookback; ++k) records_.push_back(make_record(config, model_));
  assign_marginal(model_.prior(), records_[1]->marginal.gaussian());
  closed_form_ = *records_[0]->kernel->affine();
  closed_form_.noise = CovarianceFactor(model_.state_dim(), config.kernel_noise);
}

const StepResult& OnlineVariationalFilter::step(const Eigen::VectorXd& y, const StepInput& input) {
  result_.status = check_observation(y, input, model_.observation_dim(), result_.reason);
  if (result_.status != StepStatus::kOk) return result_;

  StepRecord& record = next();
  record.first = result_.step == 0;
  record.y = y;
  record.input = input;
  record.previous = record.first ? model_.prior() : last().marginal.gaussian();

  // Initialise phi_t at the prediction.
  if (!predict()) return reject(StepStatus::kNumericalFailure, "the prediction's covariance");
  measure_innovation();
  initialise_posterior();

  // Update phi_t by gradient steps.
  const int iterations = inference_->optimise(model_, prediction_, *value_, record);
  if (iterations == 0) return reject(StepStatus::kNumericalFailure, "the inner loop");

  // Update V_t, T_t and S_t.
  chain_.clear();
  for (std::size_t k = 0; k + 1 < records_.size(); ++k) {
    chain_.push_back(records_[k].get());
    if (records_[k]->first) break;
  }
  const StepView view{model_, record, chain_, transition_};
  double elbo = 0.0;
  try {
    elbo = value_->update(view);
    if (score_) {
      score_->update(view, {*corrected_, prediction_, transition_, observation_}, increment_);
    }
  } catch (const std::invalid_argument& error) {
    // A regressor refuses samples that overflowed.
    return reject(StepStatus::kNumericalFailure, error.what());
  }
  if (!std::isfinite(elbo) || !record.marginal.gaussian().mean.allFinite() ||
      !record.marginal.gaussian().factor.lower().allFinite()) {
    return reject(StepStatus::kNumericalFailure, "the ELBO or the posterior is not finite");
  }
  result_.iterations = iterations;
  result_.elbo_increment = elbo - result_.elbo;
  result_.elbo = elbo;
  commit();

  // Update theta by a gradient step.
  result_.learned = score_ && learner_.update(increment_);
  if (result_.learned) model_.set_parameters(learner_.values());
  return result_;
}

bool OnlineVariationalFilter::predict() {
  if (next().first) {
    corrected_ = &model_.prior();
    prediction_.mean = corrected_->mean;
    prediction_.factor.lower() = corrected_->factor.lower();
  } else {
    corrected_ = &value_->corrected(last().marginal.gaussian());
    model_.transition().linearise(next().input, *corrected_, transition_);
    if (!closed_form_kernel_.compute(*corrected_, transition_, closed_form_, prediction_)) {
      return false;
    }
  }
  model_.observation().linearise(prediction_, observation_);
  return true;
}

void OnlineVariationalFilter::measure_innovation() {
  result_.innovation = next().y - observation_.offset;
  result_.innovation.noalias() -= observation_.matrix * prediction_.mean;
  scratch_.noalias() = observation_.matrix * prediction_.factor.lower();
  innovation_covariance_.noalias() = scratch_ * scratch_.transpose();
  innovation_covariance_.noalias() +=
      observation_.noise.lower() * observation_.noise.lower().transpose();
  if (!innovation_factor_.assign_covariance(innovation_covariance_, scratch_)) return;
  whitened_innovation_ = result_.innovation;
  innovation_factor_.whiten(whitened_innovation_);
  result_.nis = whitened_innovation_.squaredNorm();
}

void OnlineVariationalFilter::initialise_posterior() {
  StepRecord& record = next();
  assign_marginal(prediction_, record.marginal.gaussian());
  if (record.first) return;
  auto& kernel = static_cast<AffineKernel&>(*record.kernel);
  kernel.set_centre(prediction_.mean);
  if (config_.objective == Objective::kAelbo1) {
    kernel.gaussian().matrix.setZero();
    kernel.gaussian().offset = record.previous.mean;
    kernel.gaussian().noise = record.previous.factor;
  } else if (config_.kernel == KernelFamily::kClosedForm || last().first) {
    kernel.assign(closed_form_);
  } else {
    // A learned kernel starts where the last one ended.
    kernel.assign(*last().kernel->affine());
  }
}

void OnlineVariationalFilter::commit() {
  value_->commit();
  if (score_) score_->commit();
  std::rotate(records_.begin(), records_.end() - 1, records_.end());
  ++result_.step;
}

const StepResult& OnlineVariationalFilter::reject(StepStatus status, const char* reason) {
  result_.status = status;
  result_.reason = std::string("the step was not taken, numerical failure in: ") + reason;
  result_.learned = false;
  return result_;
}

}  // namespace ovf
