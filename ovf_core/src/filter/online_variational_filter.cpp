#include "ovf/filter/online_variational_filter.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "ovf/filter/amortised_inference.hpp"
#include "ovf/filter/backward_weighted_score.hpp"
#include "ovf/filter/natural_gradient.hpp"
#include "ovf/filter/predictive_value.hpp"
#include "ovf/filter/projected_score.hpp"
#include "ovf/filter/quadratic_score.hpp"
#include "ovf/filter/quadratic_value.hpp"
#include "ovf/filter/regressed_score.hpp"
#include "ovf/filter/regressed_value.hpp"
#include "ovf/filter/stochastic_gradient.hpp"
#include "ovf/filter/tilted_score.hpp"
#include "ovf/filter/tilting.hpp"
#include "ovf/math/assign_in_form.hpp"
#include "ovf/posterior/affine_kernel.hpp"
#include "ovf/posterior/affine_mlp_kernel.hpp"
#include "ovf/posterior/amortised_kernel.hpp"
#include "ovf/posterior/mlp_kernel.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 4;
constexpr std::uint64_t kKernelStream = 15;
// Of the standard deviations that a belief first had, when it starts again by itself.
constexpr double kWidening = 3.0;

bool learns_kernel(const OnlineVariationalFilterConfig& config) {
  return config.kernel != KernelFamily::kClosedForm && config.objective != Objective::kAelbo1;
}

bool starts_at_random(const OnlineVariationalFilterConfig& config) {
  return config.inference == InferenceMethod::kReparameterised &&
         config.reparameterised.start_deviation > 0.0;
}

// The networks of amortised inference are used as they are.
bool at_test_time(const OnlineVariationalFilterConfig& config) {
  return config.inference == InferenceMethod::kAmortised && config.amortised.iterations == 0;
}

// Whether natural-gradient steps find q_t.
bool follows_natural_gradient(const OnlineVariationalFilterConfig& config) {
  if (config.inference == InferenceMethod::kNaturalGradient) return true;
  return config.inference == InferenceMethod::kAmortised && !at_test_time(config) &&
         config.amortised.teacher == AmortisedTeacher::kNaturalGradient;
}

bool is_tilted(const OnlineVariationalFilterConfig& config, const StateSpaceModel& model) {
  return config.tilted && model.observation().is_separable() && !model.observation().is_conjugate();
}

std::unique_ptr<Inference> make_inference(const OnlineVariationalFilterConfig& config, int dim) {
  if (config.inference == InferenceMethod::kNaturalGradient) {
    return std::make_unique<NaturalGradient>(config.natural_gradient, dim);
  }
  if (config.inference == InferenceMethod::kAmortised) {
    return std::make_unique<AmortisedInference>(config, dim);
  }
  return std::make_unique<StochasticGradient>(config.reparameterised, learns_kernel(config),
                                              config.seed);
}

std::unique_ptr<ValueRecursion> make_value(const OnlineVariationalFilterConfig& config, int dim) {
  const bool recursive = config.objective == Objective::kElbo;
  if (config.value == RecursionMethod::kClosedForm) {
    if (config.kernel == KernelFamily::kClosedForm) {
      // For a large network, draws would cost more than the step.
      const bool draws = config.score != RecursionMethod::kProjection;
      return std::make_unique<PredictiveValue>(dim, recursive, config.elbo_lag, draws);
    }
    return std::make_unique<QuadraticValue>(dim, recursive);
  }
  // T serves the inner loop; where there is none a few rewards are summed.
  RegressionConfig regression = config.value_regression;
  if (at_test_time(config)) regression.points = config.amortised.samples;
  return std::make_unique<RegressedValue>(regression, recursive && !at_test_time(config),
                                          config.lookback, config.seed);
}

std::unique_ptr<ScoreRecursion> make_score(const OnlineVariationalFilterConfig& config,
                                           const StateSpaceModel& model) {
  if (config.learning.rule == LearningRule::kNone || model.parameters().size() == 0) return nullptr;
  const bool recursive = config.objective == Objective::kElbo;
  if (config.score == RecursionMethod::kRegression) {
    return std::make_unique<RegressedScore>(config.score_regression, recursive, config.lookback,
                                            config.score_samples, config.seed);
  }
  if (config.score == RecursionMethod::kProjection) {
    return std::make_unique<ProjectedScore>(model, config.score_squares, recursive);
  }
  if (config.score == RecursionMethod::kBackwardWeights) {
    return std::make_unique<BackwardWeightedScore>(config.score_samples, recursive, config.seed);
  }
  if (!model.has_closed_form_scores()) {
    throw std::invalid_argument(
        "score is closed_form, but this model has no closed-form scores; expected score: "
        "regression, projection or backward_weights");
  }
  // Without sensitivities the second-order rule takes the outer products of the gradients.
  const bool information =
      config.learning.rule == LearningRule::kSecondOrder && model.has_sensitivity();
  if (is_tilted(config, model)) return std::make_unique<TiltedScore>(model, information);
  return std::make_unique<QuadraticScore>(model, recursive, information);
}

// A linear-Gaussian step is exact in one pass; a learned kernel has no passes.
int refinements(const OnlineVariationalFilterConfig& config, const StateSpaceModel& model) {
  const bool exact = model.transition().is_linear() && model.observation().is_conjugate();
  const bool natural = follows_natural_gradient(config) && config.objective != Objective::kAelbo1;
  return exact || !natural ? 0 : config.natural_gradient.refinements;
}

std::unique_ptr<BackwardKernel> make_kernel(const OnlineVariationalFilterConfig& config, int dim) {
  // AELBO-1's kernel is q_{t-1} itself, whatever its form.
  if (config.objective == Objective::kAelbo1) {
    return std::make_unique<AffineKernel>(dim, CovarianceForm::kFull, config.marginal);
  }
  if (config.kernel == KernelFamily::kAffineMlp) {
    return std::make_unique<AffineMlpKernel>(dim, config.kernel_layers, config.kernel_activation,
                                             config.kernel_noise, config.seed);
  }
  if (config.kernel == KernelFamily::kAmortised) {
    return std::make_unique<AmortisedKernel>(
        dim, amortised_context_dim(config.amortised, dim), config.amortised.hidden_layers,
        config.amortised.activation, config.kernel_noise, config.seed);
  }
  const double deviation = config.reparameterised.start_deviation;
  if (config.kernel == KernelFamily::kMlp) {
    return std::make_unique<MlpKernel>(dim, config.kernel_layers, config.kernel_activation,
                                       config.kernel_noise, deviation > 0.0 ? deviation : 1.0,
                                       config.seed);
  }
  const auto form = config.kernel == KernelFamily::kAffineDiagonal ? CovarianceForm::kDiagonal
                                                                   : CovarianceForm::kFull;
  auto kernel = std::make_unique<AffineKernel>(dim, form, config.kernel_noise);
  if (starts_at_random(config)) {
    const MlpNetwork layer = make_network(dim, {}, dim, Activation::kRelu);
    RandomStream random(config.seed, kKernelStream);
    const Eigen::VectorXd weights = initial_parameters(layer, random);
    kernel->assign({weights.head(dim * dim).reshaped(dim, dim), weights.tail(dim),
                    CovarianceFactor(dim, config.kernel_noise, deviation)});
  }
  return kernel;
}

std::unique_ptr<StepRecord> make_record(const OnlineVariationalFilterConfig& config,
                                        const StateSpaceModel& model) {
  const int d = model.state_dim();
  auto record = std::make_unique<StepRecord>();
  record->previous = model.prior();
  record->marginal = FilterMarginal(standard_gaussian(d, config.marginal));
  record->prediction = standard_gaussian(d, CovarianceForm::kFull);
  record->kernel = make_kernel(config, d);
  return record;
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
      first_belief_(model_.prior()),
      first_parameters_(learner_.values()),
      refinements_(refinements(config, model_)),
      tilted_(is_tilted(config, model_)),
      random_(config.seed, kStream),
      committed_random_(random_),
      prediction_(standard_gaussian(model_.state_dim(), CovarianceForm::kFull)),
      independent_(prediction_),
      smoothed_(prediction_),
      innovation_factor_(0, CovarianceForm::kFull) {
  const int kept = tilted_ ? std::max(config.lookback, 2) : config.lookback;
  for (int k = 0; k <= kept; ++k) records_.push_back(make_record(config, model_));
  assign_in_form(model_.prior(), records_[1]->marginal.gaussian());
  closed_form_.noise = CovarianceFactor(model_.state_dim(), config.kernel_noise);
  // To the last digit the model is what theta makes of it, however it was given.
  model_.set_parameters(learner_.values());
  if (config.inference == InferenceMethod::kReparameterised &&
      config.reparameterised.natural_start) {
    start_ = std::make_unique<NaturalGradient>(config.natural_gradient, model_.state_dim());
  }
}

void OnlineVariationalFilter::restart(const Gaussian& belief) {
  begin_from(belief);
  first_belief_ = model_.prior();
  health_ = {};
}

void OnlineVariationalFilter::restart_wide() {
  Gaussian wide = first_belief_;
  wide.factor.lower() *= kWidening;
  if (health_.restarted()) {
    learner_.forget(0.0);
    set_parameters(first_parameters_);
  } else {
    wide.mean = belief().mean;
  }
  begin_from(wide);
  health_.set_restarted();
}

void OnlineVariationalFilter::begin_from(const Gaussian& belief) {
  model_.set_prior(belief);
  value_ = make_value(config_, model_.state_dim());
  score_ = make_score(config_, model_);
  for (auto& record : records_) record = make_record(config_, model_);
  assign_in_form(model_.prior(), records_[1]->marginal.gaussian());
  inference_->restart();
  result_ = {};
}

void OnlineVariationalFilter::set_parameters(const Eigen::VectorXd& values) {
  learner_.set_values(values);
  model_.set_parameters(learner_.values());
}

void OnlineVariationalFilter::set_out_of_time(std::function<bool()> out_of_time) {
  out_of_time_ = std::move(out_of_time);
  inference_->set_out_of_time(out_of_time_);
}

const StepResult& OnlineVariationalFilter::step(const Eigen::VectorXd& y, const StepInput& input) {
  result_.status =
      check_observation(y, input, model_.observation(input).observation_dim(), result_.reason);
  return result_.ok() ? advance(y, input) : result_;
}

const StepResult& OnlineVariationalFilter::skip(const StepInput& input) {
  result_.status = check_input(input, result_.reason);
  return result_.ok() ? advance(Eigen::VectorXd(), input) : result_;
}

const StepResult& OnlineVariationalFilter::advance(const Eigen::VectorXd& y,
                                                   const StepInput& input) {
  StepRecord& record = next();
  record.first = result_.step == 0;
  record.observed = y.size() > 0;
  record.y = y;
  record.input = input;
  record.previous = record.first ? model_.prior() : last().marginal.gaussian();

  // Initialise phi_t at the prediction and update it by gradient steps.
  result_.cut_short = false;
  const int iterations = infer();
  if (iterations == 0) return reject(StepStatus::kNumericalFailure, "the inner loop");

  record.prediction.mean = prediction_.mean;
  record.prediction.factor.lower() = prediction_.factor.lower();
  if (tilted_ && !tilt()) return reject(StepStatus::kNumericalFailure, "the tilted posterior");

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
  result_.elbo_standard_error = std::sqrt(value_->variance());
  result_.sample_efficiency = value_->weights().efficiency;
  commit(view);

  // Update theta by a gradient step.
  result_.learned = record.observed && score_ && learn(increment_);
  return result_;
}

bool OnlineVariationalFilter::learn(const ScoreIncrement& increment) {
  if (!learner_.update(increment)) return false;
  model_.set_parameters(learner_.values());
  return true;
}

int OnlineVariationalFilter::infer() {
  StepRecord& record = next();
  const Gaussian& belief = last().marginal.gaussian();
  const Gaussian* around = &belief;
  int iterations = 0;
  for (int pass = 0;; ++pass) {
    if (!predict_around(*around)) return 0;
    const Gaussian& prior = prior_of_state();
    if (pass == 0) {
      measure_innovation();
      result_.gated = record.observed && result_.nis > record.input.gate;
      if (result_.gated) {
        record.observed = false;
        record.y.resize(0);
      } else if (result_.nis > innovation_limit_) {
        record.input.weight *= innovation_limit_ / result_.nis;
      }
      start_marginal(prior);
    }
    assign_kernel();
    if (start_ && start_->optimise(model_, prior, true, *value_, record) == 0) return 0;
    const int used = inference_->optimise(model_, prior, pass == 0, *value_, record);
    if (used == 0) return 0;
    iterations += used;
    if (record.first || pass == refinements_) return iterations;
    if (out_of_time_ && out_of_time_()) {
      result_.cut_short = true;
      return iterations;
    }
    // Where x_{t-1} is after y_t: f and the last g matter there, not where they were first met.
    if (!smooth()) return 0;
    around = &smoothed_;
  }
}

bool OnlineVariationalFilter::predict_around(const Gaussian& around) {
  if (next().first) {
    corrected_ = &model_.prior();
    prediction_.mean = corrected_->mean;
    prediction_.factor.lower() = corrected_->factor.lower();
    return true;
  }
  const Gaussian& belief = last().marginal.gaussian();
  corrected_ = &value_->corrected(model_, belief, around);
  const Gaussian& where = &around == &belief ? *corrected_ : around;
  model_.transition().linearise(next().input, where, Linearisation::kExpected, transition_);
  return closed_form_kernel_.compute(*corrected_, transition_, closed_form_, prediction_);
}

// What stands for p(x_t | y^{t-1}) in the objective. In that of AELBO-1, E[log f] under
// q_{t-1}(x_{t-1}) q_t(x_t), it is f around its expected mean: the spread of x_{t-1} has no part.
const Gaussian& OnlineVariationalFilter::prior_of_state() {
  if (next().first || config_.objective != Objective::kAelbo1) return prediction_;
  independent_.mean = prediction_.mean;
  independent_.factor.lower() = transition_.noise.lower();
  return independent_;
}

void OnlineVariationalFilter::start_marginal(const Gaussian& prior) {
  StepRecord& record = next();
  Gaussian& q = record.marginal.gaussian();
  assign_in_form(prior, q);
  if (record.first && starts_at_random(config_)) {
    random_.fill_normal(q.mean);
    q.factor.lower().setIdentity();
    q.factor.lower() *= config_.reparameterised.start_deviation;
  }
  if (record.observed && record.input.start.size() == model_.state_dim()) {
    q.mean = record.input.start;
  }
}

// smoothed_ := q_t(x_{t-1}).
bool OnlineVariationalFilter::smooth() {
  const Gaussian& q = next().marginal.gaussian();
  const AffineGaussian& kernel = *next().kernel->affine();
  smoothed_.mean = kernel.offset;
  smoothed_.mean.noalias() += kernel.matrix * q.mean;
  scratch_.noalias() = kernel.matrix * q.factor.lower();
  covariance_.noalias() = scratch_ * scratch_.transpose();
  kernel.noise.add_to(covariance_);
  return smoothed_.factor.assign_covariance(covariance_, scratch_);
}

bool OnlineVariationalFilter::tilt() {
  StepRecord& record = next();
  if (!record.first && !smooth()) return false;
  if (!ovf::tilt(model_, record.first ? nullptr : &last(), transition_, smoothed_, record)) {
    return false;
  }
  if (!record.tilted()) return true;
  const int count = std::max(config_.tilted_samples, 4 * model_.state_dim());
  draw_joint(model_, record.first ? nullptr : &last(), count, random_, record);
  if (score_ && !record.first && !last().first) {
    weigh_further_back(model_, last(), *records_[2], random_, record);
  }
  return !record.observed || match_moments(record);
}

void OnlineVariationalFilter::measure_innovation() {
  if (!next().observed) {
    result_.innovation.resize(0);
    result_.nis = result_.predictive_log_density = 0.0;
    return;
  }
  const Observation& observation = model_.observation(next().input);
  if (observation.has_many_numbers()) {
    const InnovationSize size = observation.innovation(next().y, prediction_, result_.innovation);
    result_.nis = size.nis;
    result_.predictive_log_density = size.log_density;
    return;
  }
  observation.linearise(prediction_, Linearisation::kExpected, observation_);
  predicted_observation_ = observation_.offset;
  predicted_observation_.noalias() += observation_.matrix * prediction_.mean;
  result_.innovation = next().y;
  model_.observation().unwrap(predicted_observation_, result_.innovation);
  result_.innovation -= predicted_observation_;
  scratch_.noalias() = observation_.matrix * prediction_.factor.lower();
  covariance_.noalias() = scratch_ * scratch_.transpose();
  observation_.noise.add_to(covariance_);
  if (innovation_factor_.dim() != result_.innovation.size()) {
    innovation_factor_ =
        CovarianceFactor(static_cast<int>(result_.innovation.size()), CovarianceForm::kFull);
  }
  result_.nis = result_.predictive_log_density = 0.0;
  if (!innovation_factor_.assign_covariance(covariance_, scratch_)) return;
  whitened_innovation_ = result_.innovation;
  innovation_factor_.whiten(whitened_innovation_);
  result_.nis = whitened_innovation_.squaredNorm();
  result_.predictive_log_density = -0.5 * (result_.nis + innovation_factor_.dim() * kLogTwoPi) -
                                   innovation_factor_.log_determinant();
}

void OnlineVariationalFilter::assign_kernel() {
  StepRecord& record = next();
  if (record.first) return;
  if (auto* mlp = dynamic_cast<AffineMlpKernel*>(record.kernel.get())) {
    // The network continues from the last step, on top of this step's affine part.
    mlp->assign(closed_form_);
    mlp->set_scales(prediction_, record.previous);
    mlp->continue_from(static_cast<const AffineMlpKernel&>(*last().kernel));
    return;
  }
  if (auto* network = dynamic_cast<MlpKernel*>(record.kernel.get())) {
    *network = static_cast<const MlpKernel&>(*last().kernel);
    return;
  }
  if (auto* amortised = dynamic_cast<AmortisedKernel*>(record.kernel.get())) {
    amortised->assign(closed_form_);
    amortised->set_scales(prediction_, record.previous);
    return;
  }
  auto& kernel = static_cast<AffineKernel&>(*record.kernel);
  kernel.set_centre(prediction_.mean);
  if (config_.objective == Objective::kAelbo1) {
    kernel.gaussian().matrix.setZero();
    kernel.gaussian().offset = record.previous.mean;
    kernel.gaussian().noise = record.previous.factor;
  } else if (config_.kernel == KernelFamily::kClosedForm ||
             (last().first && !starts_at_random(config_))) {
    kernel.assign(closed_form_);
  } else {
    // A learned kernel starts where the last one ended.
    kernel.assign(*last().kernel->affine());
  }
}

void OnlineVariationalFilter::commit(const StepView& view) {
  inference_->commit(view, *value_);
  value_->commit();
  committed_random_ = random_;
  if (score_) score_->commit();
  std::rotate(records_.begin(), records_.end() - 1, records_.end());
  ++result_.step;
  result_.health =
      health_.step_taken({.steps = result_.step,
                          .nis = result_.nis,
                          .dim = result_.innovation.size(),
                          .gaussian = model_.observation(view.record.input).is_conjugate(),
                          .log_variance = value_->weights().log_variance / model_.state_dim(),
                          .ambiguous = inference_->ambiguous()});
  judge_belief();
}

// A poor fit widens deviations by its scores; which of two beliefs is right is for the user.
void OnlineVariationalFilter::judge_belief() {
  const bool wrong =
      result_.health == Health::kInconsistent || result_.health == Health::kRestarted;
  learner_.judge_belief(!wrong, result_.health == Health::kOverconfident);
}

const StepResult& OnlineVariationalFilter::reject(StepStatus status, const char* reason) {
  inference_->reject();
  value_->reject();
  if (score_) score_->reject();
  random_ = committed_random_;
  if (health_.step_failed()) restart_wide();
  result_.status = status;
  result_.reason = std::string("the step was not taken, numerical failure in: ") + reason;
  result_.learned = false;
  if (health_.restarted()) result_.health = Health::kRestarted;
  judge_belief();
  return result_;
}

}  // namespace ovf
