#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ovf/estimator/contradiction_watch.hpp"
#include "ovf/estimator/control_volatility.hpp"
#include "ovf/estimator/course_start.hpp"
#include "ovf/estimator/error_correlation.hpp"
#include "ovf/estimator/estimator_config.hpp"
#include "ovf/estimator/fixed_lag.hpp"
#include "ovf/estimator/held_out_prediction.hpp"
#include "ovf/estimator/history.hpp"
#include "ovf/estimator/input_clocks.hpp"
#include "ovf/estimator/messages.hpp"
#include "ovf/estimator/outcome.hpp"
#include "ovf/estimator/parameter_guard.hpp"
#include "ovf/estimator/prediction_horizon.hpp"
#include "ovf/estimator/robot_model.hpp"
#include "ovf/estimator/rollout.hpp"
#include "ovf/filter/online_variational_filter.hpp"

namespace ovf {

/// Everything that one message brought, besides the belief itself.
struct EstimatorResult {
  Outcome outcome = Outcome::kUsed;
  /// What was wrong with a message that is not used, with the numbers; else empty.
  std::string reason;
  bool used() const { return outcome == Outcome::kUsed; }
  int sensor = -1;  ///< index, -1: a control, or an unknown sensor
  /// This message's part of the ELBO, and the running total (RELBO).
  double elbo_increment = 0.0;
  double elbo = 0.0;
  /// y minus its prediction, the normalised innovation squared, and the largest that passes.
  Eigen::VectorXd innovation;
  double nis = 0.0;
  double gate = 0.0;
  int iterations = 0;
  bool learned = false;
  std::vector<Event> events;
  double seconds = 0.0;  ///< spent on this message
};

/// One learned number.
struct ParameterEstimate {
  std::string name;
  /// Of a noise with a floor: what both are together.
  double value = 0.0;
  double deviation = 0.0;
  ParameterStatus status = ParameterStatus::kNotIdentified;
};

/// How one sensor contradicted the others so far.
struct Contradiction {
  long count = 0;           ///< times that it was found to
  int other = -1;           ///< the last time: the sensor that agreed with the belief; -1: none did
  double deviations = 0.0;  ///< by how many standard deviations it was off
  double distance = 0.0;    ///< and how far the motion's states would have to move to agree with it
};

/// A robot's view of the filter: time-stamped messages of many sensors in, beliefs out. Each
/// message is one step of the filter. Nothing throws on bad messages; whatever is not used is
/// counted under a reason. The same messages give the same results, bit for bit, as long as no time
/// budget is set.
class Estimator {
 public:
  /// Seconds of any monotonic clock: for EstimatorResult::seconds and the time budget.
  using Clock = std::function<double()>;

  /// Throws std::invalid_argument naming the key, the value and what was expected.
  explicit Estimator(const EstimatorConfig& config, Clock clock = {});
  Estimator(const Estimator&) = delete;
  Estimator& operator=(const Estimator&) = delete;

  /// The result stays valid until the next call. `received`: when the message came, by the clock of
  /// the receiver. Stamps are judged by it; where it is not known, by those of the other inputs.
  const EstimatorResult& process(const Measurement& measurement,
                                 std::optional<Stamp> received = std::nullopt);
  const EstimatorResult& process(const Control& control,
                                 std::optional<Stamp> received = std::nullopt);
  const EstimatorResult& process(const Message& message,
                                 std::optional<Stamp> received = std::nullopt);

  /// Starts from this belief of the motion's own states, an orientation as a rotation vector
  /// relative to `reference`; what has been learned stays. Throws std::invalid_argument on sizes
  /// that do not fit, or a covariance that is not positive definite.
  void initialise(Stamp stamp, const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance,
                  const Eigen::Quaterniond& reference = Eigen::Quaterniond::Identity());
  /// Forgets the belief, and what has been learned unless it is to be kept.
  void reset(bool keep_parameters);

  bool initialised() const { return state_.initialised; }
  Stamp stamp() const { return state_.now; }
  const EstimatorConfig& config() const { return config_; }
  const StateLayout& layout() const { return robot_.layout; }
  /// Of the whole state: the motion's own, then what is learned along with it. While sensors
  /// contradict each other, it is as wide as both sides need.
  const Gaussian& belief() const { return is_disputed_ ? stated_ : filter_.belief(); }
  const Eigen::Quaterniond& reference() const { return state_.reference; }
  Kinematics<double> body() const;
  const Motion& motion() const { return *robot_.motion; }
  const Counters& counters() const { return counters_; }
  /// Learned quantities of the state, then noise levels, nu and weights (theta).
  std::vector<ParameterEstimate> parameters() const;
  const OnlineVariationalFilter& filter() const { return filter_; }

  /// How alike the errors of a sensor's neighbouring messages are.
  const ErrorCorrelation& error_correlation(int sensor) const {
    return correlations_[static_cast<std::size_t>(sensor)];
  }

  /// For how long they are taken to last, in seconds.
  double error_time(int sensor) const {
    return horizons_[static_cast<std::size_t>(sensor)].seconds();
  }
  const Contradiction& contradiction(int sensor) const {
    return contradictions_[static_cast<std::size_t>(sensor)];
  }
  /// Whether it contradicts the others at present, so that messages far from the belief are not
  /// used.
  bool is_disputed(int sensor) const {
    return state_.watches[static_cast<std::size_t>(sensor)].agreement.told();
  }
  /// Seconds by which the clock of a sensor, or of the control (-1), is ahead of the others.
  double clock_offset(int sensor) const { return clocks_.offset(input_of(sensor)); }

  /// Off: everything that is learned stays as it is, and is taken for known.
  void set_learning(bool on);
  bool learning() const { return state_.learning; }
  /// SensorConfig::gate, from the next message on. Throws std::invalid_argument if it is no
  /// probability, or there is no such sensor.
  void set_gate(int sensor, double probability);

  /// Throws std::invalid_argument on a request that makes no sense, or before there is a belief.
  Rollout rollout(const RolloutRequest& request) const;
  /// States of the last steps given everything up to now, newest first.
  std::vector<SmoothedState> smoothed() const { return lag_.smoothed(); }

  /// Belief, learned parameters and recursions; written atomically. Throws std::runtime_error.
  void save(const std::filesystem::path& path);
  /// Goes on as if it had never stopped, bit for bit. Throws std::runtime_error or
  /// std::invalid_argument, and changes nothing, if the file cannot be read, is damaged or belongs
  /// to another configuration.
  void load(const std::filesystem::path& path);
  /// Goes on from where another one is that has the same states, parameters and sensors, but may
  /// have other values in its configuration. Throws std::invalid_argument if it does not.
  void go_on_from(Estimator& other);

 private:
  /// Of one sensor.
  struct Watch {
    Stamp last = 0;
    bool silent = false;
    int gated_in_row = 0;
    ContradictionWatch agreement = {};
    /// In a dispute: the way from the belief to the other side, in the motion's states.
    Eigen::VectorXd other_side = {};
    Eigen::VectorXd last_used = {};  ///< numbers of the last message that was
  };
  /// What changes from message to message, besides the filter and the guard.
  struct State {
    bool initialised = false;
    bool keeps_learned = false;  ///< a next start takes learned quantities from the last belief
    bool learning = true;
    Stamp started = 0;
    Stamp now = 0;
    Eigen::VectorXd control;
    Stamp control_stamp = 0;
    bool has_control = false;
    Eigen::VectorXd control_doubt;  ///< what the motion's states gain per second, or empty
    Control unconfirmed;            ///< one that jumped, not used yet; or empty
    Eigen::VectorXd motion_doubt;   ///< what they gain in a second of doubt about the motion
    Stamp motion_doubt_until = -kFarthestStamp;
    Eigen::VectorXd last_control;  ///< of the last step; empty: none was known
    ControlVolatility volatility;
    Eigen::Quaterniond reference = Eigen::Quaterniond::Identity();
    std::vector<Watch> watches;
    double elbo_before = 0.0;    ///< of the filter's runs before this one
    int failures = 0;            ///< numerical, in a row
    bool widen = false;          ///< learned quantities are uncertain again from the next step on
    Eigen::VectorXd spread;      ///< by this the motion's states are less certain from then on
    Eigen::VectorXd deviations;  ///< of the learned quantities, when learning was switched off
  };

  void handle(const Message& message, std::optional<Stamp> received);
  void handle_in_time(const Message& message, const InputClocks::Verdict& verdict);
  /// False, and counted, if something is wrong with the message itself.
  bool check(const Message& message);
  bool check(const Measurement& measurement);
  bool check(const Control& control);
  bool sees(int sensor, int target) const;
  bool may_rerun(const Message& message, double late);
  void rerun_with(const Message& message);
  void keep_state_before(std::size_t place);

  bool start_with(const Message& message);
  /// The first belief's motion as the rule of the configuration has it; false: not yet known.
  bool first_motion(const Message& message, Gaussian& belief, Eigen::Quaterniond& reference);
  /// Its pose goes into the belief's mean, once it is found.
  std::optional<CourseStart::Course> see_course(const Message& message, Gaussian& belief);
  /// Into the mean; false: it is of another kind of sensor.
  bool take_position(const Measurement& measurement, Eigen::VectorXd& mean) const;
  void start(Stamp stamp, const Gaussian& belief, const Eigen::Quaterniond& reference);
  void check_heading(const Message& message);
  Gaussian prior() const;
  Gaussian with_known_quantities(const Gaussian& belief);
  int position_dim() const;

  void apply(const Message& message);
  void apply(const Measurement& measurement);
  void apply(const Control& control);
  /// False: it jumps from the last one, and the next one has to confirm that.
  bool is_confirmed(const Control& control);
  bool is_unusual(const Eigen::VectorXd& change) const;
  Eigen::VectorXd catching_up(const Eigen::VectorXd& doubt) const;
  /// Whether the message has the same numbers as the last one that was used.
  bool is_repeated(const Measurement& measurement, int sensor);
  bool advance_to(Stamp stamp);
  void set_time(Stamp stamp, double seconds);
  void doubt_velocity(Stamp stamp);
  void set_noise_gain(double seconds);
  void set_observation(const Measurement& measurement, int sensor);
  bool finish_step(Stamp stamp, const StepResult& step);
  void handle_failure(const StepResult& step);
  void add_spread_of_long_gap(double silence);

  /// For a rollout without a plan: no control, and noise for what it might be.
  void leave_control_open(StepInput& input) const;
  /// What of a control changes the body's velocities: a thrust with its direction in the world.
  Control driving_part(const Control& control) const;

  void watch_sensors(Stamp stamp);
  // Errors that last (estimator_lasting.cpp).
  int judging_sensor(int sensor) const;
  void set_weight(const Measurement& measurement, int sensor);
  void watch_errors(const Measurement& measurement, int sensor, const StepResult& step);
  void advance_held_out(Stamp stamp);
  void learn_from_held_out(int sensor);
  void settle(Stamp stamp);

  // Sensors that contradict each other (estimator_contradiction.cpp).
  bool sees_place(int sensor) const;
  /// Without the guard, as in a plain Kalman filter, everything is believed.
  bool is_guarded() const { return config_.guard.collapse > 0.0 || config_.guard.change > 0.0; }
  bool may_dispute(int sensor) const;
  void limit_influence(const Measurement& measurement, int sensor);
  void watch_agreement(Stamp stamp, int sensor, const StepResult& step);
  bool sees_same(int sensor, int other) const;
  int sensor_that_agreed(Stamp stamp, int except);
  void doubt_motion(Stamp stamp, const Eigen::VectorXd& way);
  void doubt_heading(const Eigen::VectorXd& way);
  void state_belief();
  Eigen::VectorXd displacement(const Eigen::VectorXd& innovation);
  Eigen::VectorXd side_of(int sensor, Eigen::VectorXd way) const;
  void add_spread(const Eigen::VectorXd& deviations);

  void watch_learning(int sensor, double seconds, const StepResult& step);
  void add_event(EventKind kind, int sensor = -1, double value = 0.0, int other = -1);
  void count(Outcome outcome, std::string reason = {});

  int sensor_index(const std::string& name) const;
  /// The control, where there is one, is the first input, the sensors are those after it.
  int input_of(int sensor) const {
    return std::max(0, sensor + (config_.motion.control == ControlKind::kNone ? 0 : 1));
  }
  const SensorConfig& sensor_config(int i) const {
    return config_.sensors[static_cast<std::size_t>(i)];
  }
  const SensorInfo& sensor_info(int i) const { return robot_.sensors[static_cast<std::size_t>(i)]; }
  Watch& watches(int i) { return state_.watches[static_cast<std::size_t>(i)]; }
  std::string fingerprint() const;
  void archive_state(Archive& archive);

  EstimatorConfig config_;
  Clock clock_;
  RobotModel robot_;
  Eigen::VectorXd first_parameters_;
  OnlineVariationalFilter filter_;
  ParameterGuard guard_;
  std::vector<double> gates_;
  std::vector<double> influence_limits_;  ///< of each sensor: normalised innovation squared
  std::vector<ErrorCorrelation> correlations_;
  std::vector<PredictionHorizon> horizons_;
  std::vector<Contradiction> contradictions_;
  InputClocks clocks_;
  HeldOutPrediction held_out_;
  State state_;
  History history_;
  FixedLag lag_;
  CourseStart course_;
  Counters counters_;
  EstimatorResult result_;
  bool rerunning_ = false;
  Stamp known_until_ = 0;  // of the control before the one that is being applied
  double deadline_ = 0.0;
  Message corrected_;  // one whose stamp was
  StepInput input_;
  Eigen::VectorXd y_;
  Eigen::MatrixXd covariance_;
  double jump_limit_ = 0.0;  // of the present message: see ContradictionWatch::limit
  bool is_disputed_ = false;
  Gaussian stated_;
  Eigen::MatrixXd disputed_covariance_;
  ScoreIncrement held_out_score_;
  Eigen::VectorXd predicted_variances_;
};

}  // namespace ovf
