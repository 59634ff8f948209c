#include "ovf/filter/filter_schema.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "ovf/config/parameter_list.hpp"
#include "ovf/config/yaml.hpp"

// Each struct is taken apart into all of its members: one that is added to the struct does not
// compile here until it is in the schema too. Upper limits of sizes keep a slip of the keyboard
// from asking for all of the memory.
namespace ovf {
namespace {

constexpr int kMostIterations = 1'000'000;
constexpr int kMostSamples = 1'000'000;
constexpr int kMostPoints = 20'000;

void visit(ConfigVisitor& visitor, NaturalGradientConfig& config) {
  auto& [iterations, tolerance, refinements] = config;
  visitor.field("iterations", iterations, {1, kMostIterations}, "Most steps per observation.");
  visitor.field("tolerance", tolerance, at_least(0.0),
                "Stop when a step raises the ELBO by less, in nats.");
  visitor.field("refinements", refinements, {0, 1000},
                "Further passes over a non-linear step, expanded around the smoothed last state.");
}

void visit(ConfigVisitor& visitor, ReparameterisedConfig& config) {
  auto& [iterations, samples, learning_rate, kernel_rate, decay, first_rate, path_derivative,
         antithetic, natural_start, start_deviation] = config;
  visitor.field("iterations", iterations, {1, kMostIterations}, "Adam steps per observation (M).");
  visitor.field("samples", samples, {1, kMostSamples}, "Samples per step (N).");
  visitor.field("learning_rate", learning_rate, above(0.0), "Adam's learning rate.");
  visitor.field("kernel_learning_rate", kernel_rate, at_least(0.0),
                "That of the backward kernel; 0: the same.");
  visitor.field("decay", decay, factor(), "Multiplies the learning rate after every step.");
  visitor.field("first_learning_rate", first_rate, above(0.0),
                "The learning rate at the first two observations, which start far away.");
  visitor.field("path_derivative", path_derivative,
                "Differentiate log q only through the sample: no noise at the optimum.");
  visitor.field("antithetic", antithetic, "Draw samples in mirrored pairs.");
  visitor.field("natural_start", natural_start,
                "Start each marginal at the result of natural-gradient steps.");
  visitor.field("start_deviation", start_deviation, at_least(0.0),
                "Start the first marginal and a learned kernel at random, with this standard "
                "deviation; 0: at the prior and at the closed-form kernel.");
}

void visit(ConfigVisitor& visitor, KernelRidgeConfig& config) {
  auto& [kernel, ridge, times_points, bandwidth, tune_rate, centre_targets, single_precision] =
      config;
  visitor.choice("kernel", kernel,
                 {{"rbf", KernelKind::kRbf},
                  {"matern12", KernelKind::kMatern12},
                  {"matern32", KernelKind::kMatern32},
                  {"matern52", KernelKind::kMatern52}},
                 "The kernel function.");
  visitor.field("ridge", ridge, above(0.0), "Added to the kernel matrix's diagonal (lambda).");
  visitor.field("ridge_times_points", times_points,
                "Multiply the ridge by the number of points, as in Algorithm 2.");
  visitor.field("bandwidth", bandwidth, at_least(0.0),
                "The kernel's width; 0: the median distance between points at the first fit.");
  visitor.field("tune_learning_rate", tune_rate, above(0.0),
                "Learning rate of Adam on the log bandwidth.");
  visitor.field("centre_targets", centre_targets, "Fit the targets less their mean.");
  visitor.field("single_precision", single_precision,
                "Solve in float unless the ridge is too small for its digits.");
}

void visit(ConfigVisitor& visitor, HermiteProjectionConfig& config) {
  auto& [degree, least_squares] = config;
  visitor.field("degree", degree, {0, 2}, "Of the polynomial: constant, linear or quadratic.");
  visitor.field(
      "least_squares", least_squares,
      "Solve the normal equations instead of averaging; needs more points than features.");
}

void visit(ConfigVisitor& visitor, RandomFeaturesConfig& config) {
  auto& [features, ridge, bandwidth, seed] = config;
  visitor.field("features", features, {2, 20'000, 2}, "Cosines and sines of random frequencies.");
  visitor.field("ridge", ridge, above(0.0), "As kernel_ridge.ridge, times the number of points.");
  visitor.field("bandwidth", bandwidth, at_least(0.0),
                "The kernel's width; 0: the median distance between points at the first fit.");
  visitor.field("seed", seed, "Of the random frequencies.");
}

void visit_activation(ConfigVisitor& visitor, const char* key, Activation& activation,
                      const char* doc) {
  visitor.choice(key, activation, {{"relu", Activation::kRelu}, {"tanh", Activation::kTanh}}, doc);
}

void visit(ConfigVisitor& visitor, MlpConfig& config) {
  auto& [hidden_layers, activation, iterations, batch, learning_rate, seed] = config;
  visitor.field("hidden_layers", hidden_layers, {.element = {1, 4096}, .longest = 8},
                "Sizes of the hidden layers.");
  visit_activation(visitor, "activation", activation, "Of the hidden layers.");
  visitor.field("iterations", iterations, {1, kMostIterations}, "Adam steps per fit.");
  visitor.field("batch", batch, {1, kMostSamples}, "Points per step, drawn with replacement.");
  visitor.field("learning_rate", learning_rate, above(0.0), "Adam's learning rate.");
  visitor.field("seed", seed, "Of the first weights and of the batches.");
}

void visit(ConfigVisitor& visitor, RegressorConfig& config) {
  auto& [kind, kernel_ridge, hermite, random_features, mlp] = config;
  visitor.choice("regressor", kind,
                 {{"kernel_ridge", RegressorKind::kKernelRidge},
                  {"hermite", RegressorKind::kHermite},
                  {"random_features", RegressorKind::kRandomFeatures},
                  {"mlp", RegressorKind::kMlp},
                  {"direction_mlp", RegressorKind::kDirectionMlp}},
                 "Which regressor; only its own group below is used (direction_mlp: that of mlp).");
  visitor.group("kernel_ridge", kernel_ridge, visit);
  visitor.group("hermite", hermite, visit);
  visitor.group("random_features", random_features, visit);
  visitor.group("mlp", mlp, visit);
}

void visit(ConfigVisitor& visitor, ScheduleConfig& config) {
  auto& [rate, scale, power] = config;
  visitor.field("rate", rate, above(0.0), "The k-th update's: rate scale / (scale + k^power).");
  visitor.field("scale", scale, at_least(0.0), "Updates until the rate falls; 0: it never does.");
  visitor.field("power", power, factor(), "How fast the rate falls.");
}

void visit_covariance_form(ConfigVisitor& visitor, const char* key, CovarianceForm& form,
                           const char* doc) {
  visitor.choice(key, form,
                 {{"diagonal", CovarianceForm::kDiagonal}, {"full", CovarianceForm::kFull}}, doc);
}

void visit(ConfigVisitor& visitor, AmortisedConfig& config) {
  auto& [memory, teacher, iterations, samples, schedule, path_derivative, antithetic, replay,
         replay_batch, hidden_layers, activation, recurrent_units, window, joint_kernel,
         kernel_regression] = config;
  visitor.choice(
      "memory", memory,
      {{"statistics", AmortisedMemory::kStatistics}, {"recurrent", AmortisedMemory::kRecurrent}},
      "What the forward network knows of the past: the last belief's mean and "
      "deviations, or the state of a recurrent network.");
  visitor.choice(
      "teacher", teacher,
      {{"natural_gradient", AmortisedTeacher::kNaturalGradient}, {"elbo", AmortisedTeacher::kElbo}},
      "What the networks learn from: natural-gradient steps that start at their output, "
      "or the ELBO's gradient by samples.");
  visitor.field("iterations", iterations, {0, kMostIterations},
                "Adam steps of the networks per observation; 0: their output is the posterior.");
  visitor.field("samples", samples, {1, kMostSamples}, "elbo: samples per step.");
  visitor.group("schedule", schedule, visit);
  visitor.field("path_derivative", path_derivative,
                "elbo: differentiate log q only through the sample: no noise at the optimum.");
  visitor.field("antithetic", antithetic, "elbo: draw samples in mirrored pairs.");
  visitor.field("replay", replay, {0, 100'000},
                "Past steps that are kept as examples, so that the network does not forget.");
  visitor.field("replay_batch", replay_batch, {0, 10'000},
                "Of those, how many each step of the forward network goes over.");
  visitor.field("hidden_layers", hidden_layers, {.element = {1, 4096}, .longest = 8},
                "Hidden layers of the forward and of the backward network.");
  visit_activation(visitor, "activation", activation, "Of those hidden layers.");
  visitor.field("recurrent_units", recurrent_units, {1, 4096}, "recurrent: numbers of its state.");
  visitor.field("window", window, {1, 1000},
                "recurrent: observations that its gradient goes back (H).");
  visitor.field("joint_kernel", joint_kernel,
                "The backward network maximises the joint ELBO over time (TU), not each step's "
                "own (T).");
  visitor.group(
      "kernel_regression", kernel_regression,
      [](ConfigVisitor& inner, RegressionConfig& regression) { ovf::visit(inner, regression); });
}

}  // namespace

void visit(ConfigVisitor& visitor, FilterSetting& setting) {
  visitor.choice("setting", setting,
                 {{"fast", FilterSetting::kFast},
                  {"accurate", FilterSetting::kAccurate},
                  {"amortised", FilterSetting::kAmortised},
                  {"paper", FilterSetting::kPaper}},
                 "The ready-made configuration that all other keys start from.");
}

void visit(ConfigVisitor& visitor, LearningConfig& config) {
  auto& [rule, burn_in, schedule, prior_deviation, retention, longest_step] = config;
  visitor.choice("rule", rule,
                 {{"none", LearningRule::kNone},
                  {"gradient", LearningRule::kGradient},
                  {"adam", LearningRule::kAdam},
                  {"second_order", LearningRule::kSecondOrder}},
                 "How the model's parameters are learned; none: they stay as given.");
  visitor.field("burn_in", burn_in, {.lowest = 0}, "Observations before the first update.");
  visitor.group("schedule", schedule, visit);
  visitor.field("prior_deviation", prior_deviation, above(0.0),
                "second_order: standard deviation of the prior over unconstrained parameters.");
  visitor.field("retention", retention, factor(),
                "second_order: share of past information kept at each step; 1.0: all of it.");
  visitor.field("longest_step", longest_step, above(0.0),
                "second_order: longest step, in posterior standard deviations.");
}

void visit(ConfigVisitor& visitor, RegressionConfig& config) {
  auto& [regressor, points, standardise, inflation, tune_steps, tune_points] = config;
  visitor.field("points", points, {1, kMostPoints}, "Samples per fit (P).");
  visitor.field("standardise", standardise, "Regress on the state whitened by the marginal.");
  visitor.field("inflation", inflation, at_least(1.0),
                "Draw inputs with this multiple of the marginal's spread (Appendix A.1).");
  visitor.field("tune_steps", tune_steps, {0, kMostIterations},
                "Steps on the regressor's own settings after each fit.");
  visitor.field("tune_points", tune_points, {1, kMostPoints}, "Fresh samples for each such step.");
  visit(visitor, regressor);
}

void visit(ConfigVisitor& visitor, OnlineVariationalFilterConfig& config) {
  auto& [objective, marginal, kernel, kernel_noise, kernel_layers, kernel_activation, tilted,
         tilted_samples, inference, natural_gradient, reparameterised, amortised, value,
         value_regression, score, score_regression, score_squares, score_samples, lookback,
         elbo_lag, learning, seed] = config;
  visitor.choice(
      "objective", objective,
      {{"elbo", Objective::kElbo}, {"aelbo1", Objective::kAelbo1}, {"aelbo2", Objective::kAelbo2}},
      "What the posterior maximises: the ELBO, or an approximation of it (Eq. 19).");
  visit_covariance_form(visitor, "marginal", marginal, "Covariance of the marginal q_t(x_t).");
  visitor.choice("kernel", kernel,
                 {{"closed_form", KernelFamily::kClosedForm},
                  {"affine_diagonal", KernelFamily::kAffineDiagonal},
                  {"affine_full", KernelFamily::kAffineFull},
                  {"mlp", KernelFamily::kMlp},
                  {"affine_mlp", KernelFamily::kAffineMlp},
                  {"amortised", KernelFamily::kAmortised}},
                 "The backward kernel q_t(x_{t-1} given x_t): from the model, or learned.");
  visit_covariance_form(visitor, "kernel_noise", kernel_noise, "Covariance of a learned kernel.");
  visitor.field("kernel_layers", kernel_layers, {.element = {1, 4096}, .longest = 8},
                "Hidden layers of the network of an mlp or affine_mlp kernel.");
  visit_activation(visitor, "kernel_activation", kernel_activation, "Of those hidden layers.");
  visitor.field("tilted", tilted,
                "Correct marginal and kernel for what is not Gaussian in a separable observation.");
  visitor.field("tilted_samples", tilted_samples, {10, kMostSamples},
                "Draws for the moments, the ELBO and the scores of the corrected posterior.");
  visitor.choice("inference", inference,
                 {{"natural_gradient", InferenceMethod::kNaturalGradient},
                  {"reparameterised", InferenceMethod::kReparameterised},
                  {"amortised", InferenceMethod::kAmortised}},
                 "How the posterior is found: natural-gradient steps, samples and Adam, or a "
                 "network that learns to.");
  visitor.group("natural_gradient", natural_gradient, visit);
  visitor.group("reparameterised", reparameterised, visit);
  visitor.group("amortised", amortised, visit);
  visitor.choice(
      "value", value,
      {{"closed_form", RecursionMethod::kClosedForm}, {"regression", RecursionMethod::kRegression}},
      "How the value V and its gradient T are carried.");
  visitor.group("value_regression", value_regression, visit);
  visitor.choice("score", score,
                 {{"closed_form", RecursionMethod::kClosedForm},
                  {"regression", RecursionMethod::kRegression},
                  {"projection", RecursionMethod::kProjection},
                  {"backward_weights", RecursionMethod::kBackwardWeights}},
                 "How the parameter score S is carried; projection: for thousands of parameters; "
                 "backward_weights: at weighted draws.");
  visitor.group("score_regression", score_regression, visit);
  visitor.field("score_squares", score_squares,
                "projection: squares of each whitened state besides lines; twice the cost.");
  visitor.field("score_samples", score_samples, {1, kMostSamples},
                "Samples of each expectation in the parameters' gradient where S is regressed; "
                "backward_weights: draws of S (N, at most 10000; time grows with its square).");
  visitor.field("lookback", lookback, {1, 1000},
                "Steps that the regressed recursions look back (L).");
  visitor.field("elbo_lag", elbo_lag, {0, 100},
                "Steps after which the running ELBO is corrected by what later observations said "
                "of a state; 0: never. Closed-form recursion only.");
  visitor.group("learning", learning, visit);
  visitor.field("seed", seed, "Of all random numbers of the filter.");
}

OnlineVariationalFilterConfig filter_preset(FilterSetting setting) {
  switch (setting) {
    case FilterSetting::kFast:
      return OnlineVariationalFilterConfig::fast();
    case FilterSetting::kAccurate:
      return OnlineVariationalFilterConfig::accurate();
    case FilterSetting::kAmortised:
      return OnlineVariationalFilterConfig::amortised_start();
    case FilterSetting::kPaper:
      return OnlineVariationalFilterConfig::paper();
  }
  return {};
}

OnlineVariationalFilterConfig read_filter_config(const std::string& text,
                                                 const std::string& source_name) {
  FilterSetting setting = FilterSetting::kFast;
  OnlineVariationalFilterConfig config;
  const auto visit_all = [&](ConfigVisitor& visitor) {
    visit(visitor, setting);
    visit(visitor, config);
  };
  // Once to learn the setting, once more on top of it.
  read_yaml(text, source_name, visit_all);
  config = filter_preset(setting);
  read_yaml(text, source_name, visit_all);
  try {
    validate(config);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", source_name, error.what()));
  }
  return config;
}

OnlineVariationalFilterConfig load_filter_config(const std::filesystem::path& path) {
  return read_filter_config(read_config_file(path), path.string());
}

std::string write_filter_config(const OnlineVariationalFilterConfig& config,
                                const std::string& node_name) {
  OnlineVariationalFilterConfig copy = config;
  return write_yaml(node_name, [&](ConfigVisitor& visitor) { visit(visitor, copy); });
}

std::string filter_parameter_reference() {
  FilterSetting setting = FilterSetting::kFast;
  OnlineVariationalFilterConfig fast = filter_preset(FilterSetting::kFast);
  OnlineVariationalFilterConfig paper = filter_preset(FilterSetting::kPaper);
  std::string text =
      "# Parameters\n\n"
      "Generated from the schema; a test compares. A configuration file is a ROS parameter file "
      "(`ovf: ros__parameters: ...`) or its\nparameters alone. Dots stand for nesting. Numbers of "
      "type double need a decimal point in ROS: `1.0`, not `1`. An unknown key is an error.\n\n";
  text += parameter_reference([&](ConfigVisitor& visitor) {
    visit(visitor, setting);
    visit(visitor, fast);
  });

  text +=
      "\nThese defaults are those of `setting: fast`. With `setting: paper`, these differ:\n\n"
      "| Key | Default |\n|---|---|\n";
  const auto of_fast = list_parameters([&](ConfigVisitor& visitor) { visit(visitor, fast); });
  const auto of_paper = list_parameters([&](ConfigVisitor& visitor) { visit(visitor, paper); });
  for (std::size_t i = 0; i < of_paper.size(); ++i) {
    if (of_paper[i].value == of_fast[i].value) continue;
    text += fmt::format("| `{}` | `{}` |\n", of_paper[i].key, of_paper[i].value);
  }
  return text;
}

}  // namespace ovf
