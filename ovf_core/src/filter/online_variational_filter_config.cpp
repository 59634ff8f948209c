#include "ovf/filter/online_variational_filter_config.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace ovf {
namespace {

constexpr int kMaxDraws = 10'000;

void require(bool ok, const char* key, double value, const char* expected) {
  if (!ok) throw std::invalid_argument(fmt::format("{} is {}; expected {}", key, value, expected));
}

void require(bool ok, const char* message) {
  if (!ok) throw std::invalid_argument(message);
}

}  // namespace

RegressionConfig AmortisedConfig::lines() {
  RegressionConfig config;
  config.regressor.kind = RegressorKind::kHermite;
  config.regressor.hermite.degree = 1;
  config.regressor.hermite.least_squares = true;
  config.points = 128;
  config.standardise = true;
  config.tune_steps = 0;
  return config;
}

OnlineVariationalFilterConfig OnlineVariationalFilterConfig::fast() {
  OnlineVariationalFilterConfig config;
  config.learning.rule = LearningRule::kSecondOrder;
  return config;
}

OnlineVariationalFilterConfig OnlineVariationalFilterConfig::neural() {
  OnlineVariationalFilterConfig config;
  config.score = RecursionMethod::kProjection;
  config.learning.rule = LearningRule::kAdam;
  config.learning.schedule = {.rate = 1e-3, .scale = 0.0};
  return config;
}

OnlineVariationalFilterConfig OnlineVariationalFilterConfig::accurate() {
  OnlineVariationalFilterConfig config = fast();
  config.natural_gradient.iterations = 20;
  config.natural_gradient.tolerance = 1e-8;
  config.natural_gradient.refinements = 3;
  config.tilted = true;
  return config;
}

OnlineVariationalFilterConfig OnlineVariationalFilterConfig::amortised_start() {
  OnlineVariationalFilterConfig config = fast();
  config.inference = InferenceMethod::kAmortised;
  return config;
}

OnlineVariationalFilterConfig OnlineVariationalFilterConfig::paper() {
  OnlineVariationalFilterConfig config;
  config.marginal = CovarianceForm::kDiagonal;
  config.kernel = KernelFamily::kAffineFull;
  config.kernel_noise = CovarianceForm::kDiagonal;
  config.inference = InferenceMethod::kReparameterised;
  config.value = RecursionMethod::kRegression;
  config.score = RecursionMethod::kRegression;

  config.value_regression.points = 512;
  config.value_regression.tune_steps = 1;
  config.value_regression.tune_points = 100;
  auto& value_ridge = config.value_regression.regressor.kernel_ridge;
  value_ridge.ridge = 0.01;
  // K + lambda I for T, as in the authors' program; with P lambda T would be shrunk to nothing. For
  // S the P lambda of Algorithm 2: without P the fit interpolates the noise of its targets.
  value_ridge.ridge_times_points = false;
  value_ridge.tune_learning_rate = 1e-3;

  config.score_regression = config.value_regression;
  config.score_regression.points = 1000;
  config.score_regression.regressor.kernel_ridge.ridge = 1e-4;
  config.score_regression.regressor.kernel_ridge.ridge_times_points = true;

  config.learning.rule = LearningRule::kAdam;
  return config;
}

namespace {

void validate(const AmortisedConfig& config) {
  require(config.iterations >= 0, "amortised.iterations", config.iterations, "0 or more");
  require(config.samples >= 1, "amortised.samples", config.samples, "at least 1");
  require(config.schedule.rate > 0.0, "amortised.schedule.rate", config.schedule.rate,
          "a positive rate");
  require(config.schedule.scale >= 0.0, "amortised.schedule.scale", config.schedule.scale,
          "0 (constant rate) or more");
  require(config.replay >= 0, "amortised.replay", config.replay, "0 or more steps");
  require(config.replay_batch >= 0, "amortised.replay_batch", config.replay_batch,
          "0 or more steps");
  require(config.recurrent_units >= 1, "amortised.recurrent_units", config.recurrent_units,
          "at least 1");
  require(config.window >= 1, "amortised.window", config.window, "at least 1 observation");
  for (const int size : config.hidden_layers) {
    require(size >= 1, "amortised.hidden_layers", size, "layers of at least 1 unit");
  }
  validate(config.kernel_regression, "amortised.kernel_regression");
}

// Which kernels and recursions go with amortised inference.
void validate_amortised(const OnlineVariationalFilterConfig& config) {
  const bool amortised = config.inference == InferenceMethod::kAmortised;
  const bool backward = config.kernel == KernelFamily::kAmortised;
  require(amortised || !backward, "kernel is amortised; expected inference: amortised with it");
  if (!amortised) return;
  require(
      backward || config.kernel == KernelFamily::kClosedForm,
      "inference is amortised with a kernel that is learned anew at each step; expected kernel: "
      "closed_form or amortised");
  if (config.amortised.teacher == AmortisedTeacher::kNaturalGradient) {
    require(!backward && config.value == RecursionMethod::kClosedForm,
            "amortised.teacher is natural_gradient; expected kernel: closed_form and value: "
            "closed_form with it");
  }
  require(!config.tilted, "tilted is true with inference: amortised; expected tilted: false");
}

}  // namespace

void validate(const OnlineVariationalFilterConfig& config) {
  const auto& sampled = config.reparameterised;
  require(config.natural_gradient.iterations >= 1, "natural_gradient.iterations",
          config.natural_gradient.iterations, "at least 1");
  require(config.natural_gradient.tolerance >= 0.0, "natural_gradient.tolerance",
          config.natural_gradient.tolerance, "0 or more nats");
  require(config.natural_gradient.refinements >= 0, "natural_gradient.refinements",
          config.natural_gradient.refinements, "0 or more passes");
  require(sampled.iterations >= 1, "reparameterised.iterations", sampled.iterations, "at least 1");
  require(sampled.samples >= 1, "reparameterised.samples", sampled.samples,
          "at least 1 (an empty batch has no gradient)");
  require(sampled.learning_rate > 0.0, "reparameterised.learning_rate", sampled.learning_rate,
          "a positive rate");
  require(sampled.first_learning_rate > 0.0, "reparameterised.first_learning_rate",
          sampled.first_learning_rate, "a positive rate");
  require(sampled.decay > 0.0 && sampled.decay <= 1.0, "reparameterised.decay", sampled.decay,
          "a factor in (0, 1]");
  require(sampled.start_deviation >= 0.0, "reparameterised.start_deviation",
          sampled.start_deviation, "0 or more");
  require(config.score_samples >= 1, "score_samples", config.score_samples, "at least 1");
  require(config.score != RecursionMethod::kBackwardWeights ||
              (config.score_samples >= 2 && config.score_samples <= kMaxDraws),
          "score_samples", config.score_samples,
          "2 to 10000 with score: backward_weights, whose time grows with their square");
  require(config.lookback >= 1, "lookback", config.lookback, "at least 1 step");
  require(config.elbo_lag >= 0, "elbo_lag", config.elbo_lag, "0 or more steps");
  validate(config.value_regression, "value_regression");
  validate(config.score_regression, "score_regression");
  validate(config.learning);
  validate(config.amortised);
  validate_amortised(config);

  require(config.value != RecursionMethod::kProjection,
          "value is projection; expected closed_form or regression");
  require(config.value != RecursionMethod::kBackwardWeights,
          "value is backward_weights; expected closed_form or regression");
  if (config.inference == InferenceMethod::kNaturalGradient) {
    require(config.kernel == KernelFamily::kClosedForm,
            "inference is natural_gradient with a learned kernel; expected kernel: closed_form, or "
            "inference: reparameterised");
    require(config.value == RecursionMethod::kClosedForm,
            "inference is natural_gradient with value: regression; expected value: closed_form, or "
            "inference: reparameterised");
  }
  require(config.tilted_samples >= 10, "tilted_samples", config.tilted_samples, "at least 10");
  require(!config.tilted ||
              (config.kernel == KernelFamily::kClosedForm &&
               config.value == RecursionMethod::kClosedForm &&
               config.marginal == CovarianceForm::kFull && config.objective == Objective::kElbo),
          "tilted is true; expected kernel: closed_form, value: closed_form, marginal: full and "
          "objective: elbo with it");
  if (config.kernel == KernelFamily::kMlp || config.kernel == KernelFamily::kAffineMlp ||
      config.kernel == KernelFamily::kAmortised) {
    require(config.value == RecursionMethod::kRegression,
            "kernel has a network, with value: closed_form; expected value: regression");
    require(config.learning.rule == LearningRule::kNone ||
                config.score == RecursionMethod::kRegression ||
                config.score == RecursionMethod::kBackwardWeights,
            "kernel has a network, with a score that needs an affine one; expected score: "
            "regression or backward_weights");
    for (const int size : config.kernel_layers) {
      require(size >= 1, "kernel_layers", size, "layers of at least 1 unit");
    }
  }
  const bool regression =
      config.value == RecursionMethod::kRegression || config.score == RecursionMethod::kRegression;
  require(config.lookback == 1 || regression, "lookback", config.lookback,
          "1: closed-form recursions have no bias to trade");
}

}  // namespace ovf
