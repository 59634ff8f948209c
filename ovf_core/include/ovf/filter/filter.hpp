#pragma once

#include <Eigen/Core>
#include <string>

#include "ovf/math/gaussian.hpp"
#include "ovf/model/transition.hpp"

namespace ovf {

/// What became of an observation.
enum class StepStatus {
  kOk,
  kPredicted,         ///< there was none: the belief moved by the transition alone
  kWrongSize,         ///< the observation or control has another dimension than the model
  kNotFinite,         ///< the observation, control or dt has a NaN or an infinity
  kNumericalFailure,  ///< the update lost positive definiteness or gave a number that is not finite
};

const char* to_string(StepStatus status);

/// Whether a filter's own predictions support its belief.
enum class Health {
  kGood,
  kInconsistent,   ///< observation after observation is far from its prediction
  kAmbiguous,      ///< another state explained the observations about as well, a while ago
  kOverconfident,  ///< predictions are less accurate than they say, for hundreds of observations
  kPoorFit,        ///< the posterior is far from the Gaussian that stands for it
  kRestarted,      ///< too many steps failed: the belief started again, wide, a while ago
};

const char* to_string(Health health);

/// Everything that one step found. After an error the belief is as it was before.
struct StepResult {
  StepStatus status = StepStatus::kOk;
  /// What was wrong, with the numbers; empty when all is well.
  std::string reason;
  /// Whether the step was taken.
  bool ok() const { return status == StepStatus::kOk || status == StepStatus::kPredicted; }
  /// Steps taken so far.
  long step = 0;
  /// This step's part of the objective, and its running total: the RELBO (Section 3.5), an AELBO,
  /// or for the Kalman filter the log evidence.
  double elbo_increment = 0.0;
  double elbo = 0.0;
  /// Of the total, by the draws that it rests on; 0 where it is a closed form.
  double elbo_standard_error = 0.0;
  /// y minus its prediction, and the normalised innovation squared.
  Eigen::VectorXd innovation;
  double nis = 0.0;
  /// Log density of y as it was predicted, by a Gaussian; 0 where a filter does not tell.
  double predictive_log_density = 0.0;
  /// Whether it lay outside the gate: then the step went on without the observation.
  bool gated = false;
  /// What the last steps say of the belief.
  Health health = Health::kGood;
  /// Effective sample size of draws from the step's posterior, weighed by the model, as a share of
  /// their number: 1 where the belief is the exact posterior.
  double sample_efficiency = 1.0;
  /// Inner iterations of the step, and whether theta moved.
  int iterations = 0;
  bool learned = false;
  /// Whether iterations were left out because time was up.
  bool cut_short = false;
};

/// One interface for every filter: step(observation) -> StepResult.
class Filter {
 public:
  virtual ~Filter() = default;
  /// Never throws on bad data; the result stays valid until the next call.
  virtual const StepResult& step(const Eigen::VectorXd& y, const StepInput& input) = 0;
  const StepResult& step(const Eigen::VectorXd& y) { return step(y, StepInput{}); }
  /// A step without an observation: time passes, nothing is seen.
  virtual const StepResult& skip(const StepInput& input) = 0;
  /// q_t(x_t).
  virtual const Gaussian& belief() const = 0;
  /// Current theta (natural values).
  virtual const Eigen::VectorXd& parameters() const = 0;
};

/// kOk, or what is wrong with an observation of a model with this many dimensions.
StepStatus check_observation(const Eigen::VectorXd& y, const StepInput& input, int expected_dim,
                             std::string& reason);
/// The same for a step without an observation: kPredicted if nothing is wrong.
StepStatus check_input(const StepInput& input, std::string& reason);

}  // namespace ovf
