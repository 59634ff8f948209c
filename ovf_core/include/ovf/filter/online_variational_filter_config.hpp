#pragma once

#include <cstdint>
#include <vector>

#include "ovf/learning/learning_config.hpp"
#include "ovf/math/covariance_factor.hpp"
#include "ovf/math/mlp_network.hpp"
#include "ovf/regression/regressed_function.hpp"

namespace ovf {

/// What phi_t maximises.
enum class Objective {
  kElbo,    ///< the ELBO itself, through V, T and S
  kAelbo2,  ///< Eq. (19) with q_k(x_{k-1} | x_k) q_k(x_k): V, T and S dropped
  kAelbo1,  ///< Eq. (19) with q_{k-1}(x_{k-1}) q_k(x_k): no backward kernel either
};

/// How phi_t is found.
enum class InferenceMethod {
  kNaturalGradient,  ///< Gaussian natural-gradient steps with expected derivatives of log g
  kReparameterised,  ///< samples, reparameterisation trick and Adam (Alg. 1)
  kAmortised,        ///< by a network that learns from step to step (Appendix D)
};

/// The backward kernel q_t(x_{t-1} | x_t).
enum class KernelFamily {
  kClosedForm,      ///< proportional to f q_{t-1}: nothing to learn
  kAffineDiagonal,  ///< learned, A diagonal
  kAffineFull,      ///< learned, A full
  kAffineMlp,       ///< closed form plus a learned network
  kAmortised,       ///< closed form plus a network that serves all steps (Appendix D)
  kMlp,             ///< a learned network alone, as in Section 5.2
};

/// How V, T or S are carried.
enum class RecursionMethod {
  kClosedForm,       ///< quadratic functions, exact for linear-Gaussian models
  kRegression,       ///< fitted to samples (Section 3.5)
  kProjection,       ///< S only: few coefficients each, for thousands of parameters
  kBackwardWeights,  ///< S only: at weighted draws, by self-normalised backward weights
};

struct NaturalGradientConfig {
  int iterations = 8;
  /// Stop when an iteration raises the ELBO by less, in nats.
  double tolerance = 1e-3;
  /// Further passes over a step of a non-linear model: f and the last observation's g expanded
  /// around x_{t-1} as it is seen after y_t.
  int refinements = 1;
};

struct ReparameterisedConfig {
  int iterations = 500;  ///< M
  int samples = 32;      ///< N
  double learning_rate = 0.01;
  /// Of the backward kernel; 0: the same.
  double kernel_learning_rate = 0.0;
  /// The learning rate is multiplied by this after every iteration.
  double decay = 0.991;
  /// The learning rate at the first two steps, whose phi starts far away.
  double first_learning_rate = 0.01;
  /// Differentiate log q only through the sample: the noise vanishes at the optimum.
  bool path_derivative = false;
  bool antithetic = false;
  /// Start each step's marginal at the result of natural-gradient steps instead of the prediction.
  bool natural_start = false;
  /// The first marginal starts at a mean drawn from N(0, I) and this standard deviation, and a
  /// learned kernel at random weights and this deviation, whatever the model; 0: at the prior and
  /// at the closed-form kernel.
  double start_deviation = 0.0;
};

/// What the forward network remembers of the past.
enum class AmortisedMemory {
  kStatistics,  ///< mean and deviations of q_{t-1}
  kRecurrent,   ///< the state of a recurrent network over the observations
};

/// What the networks learn from at each step.
enum class AmortisedTeacher {
  kNaturalGradient,  ///< natural-gradient steps that start at the network's q_t
  kElbo,             ///< the gradient of the ELBO at the network's own q_t, by samples
};

struct AmortisedConfig {
  AmortisedMemory memory = AmortisedMemory::kStatistics;
  AmortisedTeacher teacher = AmortisedTeacher::kNaturalGradient;
  /// Adam steps of the networks per observation; 0: they are used as they are (test time).
  int iterations = 4;
  int samples = 32;
  /// Adam's rate, by the number of observations.
  ScheduleConfig schedule{.rate = 1e-3, .scale = 0.0};
  /// As in ReparameterisedConfig.
  bool path_derivative = true;
  bool antithetic = true;
  /// Past steps that are kept as examples, and how many of them each iteration of the forward
  /// network goes over again: without them it forgets.
  int replay = 256;
  int replay_batch = 8;
  /// Of the forward and of the backward network.
  std::vector<int> hidden_layers = {100, 100};
  Activation activation = Activation::kRelu;
  int recurrent_units = 32;
  /// H: observations that a recurrent network's gradient goes back.
  int window = 8;
  /// The backward network maximises the joint ELBO over time by U ("TU"); false: each step's own
  /// ("T").
  bool joint_kernel = true;
  /// Of U.
  RegressionConfig kernel_regression = lines();

  /// Lines in the whitened state, as a projected S has.
  static RegressionConfig lines();
};

struct OnlineVariationalFilterConfig {
  Objective objective = Objective::kElbo;
  CovarianceForm marginal = CovarianceForm::kFull;
  KernelFamily kernel = KernelFamily::kClosedForm;
  CovarianceForm kernel_noise = CovarianceForm::kFull;
  /// Hidden layers of the network of an mlp or affine_mlp kernel.
  std::vector<int> kernel_layers = {100};
  Activation kernel_activation = Activation::kRelu;
  /// Non-Gaussian corrections of q_t(x_t) and q_t(x_{t-1} | x_t) (TiltedConditional), where the
  /// observation is separable: only with the closed-form kernel and recursion.
  bool tilted = false;
  /// Draws for the moments, the ELBO and the scores of the corrected posterior; never fewer than
  /// four for each dimension of the state.
  int tilted_samples = 30;

  InferenceMethod inference = InferenceMethod::kNaturalGradient;
  NaturalGradientConfig natural_gradient;
  ReparameterisedConfig reparameterised;
  AmortisedConfig amortised;

  RecursionMethod value = RecursionMethod::kClosedForm;
  RegressionConfig value_regression;
  RecursionMethod score = RecursionMethod::kClosedForm;
  RegressionConfig score_regression;
  /// A projected S has squares of each whitened state besides lines.
  bool score_squares = false;
  /// Samples of each expectation in theta's gradient where S is regressed; N, the draws that S is
  /// kept at, with backward weights.
  int score_samples = 32;
  /// L: steps that the regressed recursions look back (bias-variance equation of Section 3.5).
  int lookback = 1;
  /// Steps after which the running ELBO takes E[log g] once more, with what later observations say:
  /// only with the closed-form recursion.
  int elbo_lag = 4;

  LearningConfig learning;
  std::uint64_t seed = 1;

  /// Natural gradient, closed-form kernel, recursions and parameter increment.
  static OnlineVariationalFilterConfig fast();
  /// As fast, for the thousands of parameters of a network: S projected, theta by Adam.
  static OnlineVariationalFilterConfig neural();
  /// As fast, iterated to the end and without the Gaussian restriction.
  static OnlineVariationalFilterConfig accurate();
  /// As fast, but each step starts where a network says that it will end, so that few iterations
  /// do.
  static OnlineVariationalFilterConfig amortised_start();
  /// Reparameterised samples, Adam, kernel ridge, with the sizes and rates of Figure 1b; starts at
  /// the prior and at the closed-form kernel.
  static OnlineVariationalFilterConfig paper();
};

/// Throws std::invalid_argument naming the key, the value and what was expected.
void validate(const OnlineVariationalFilterConfig& config);

}  // namespace ovf
