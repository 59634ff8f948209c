#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diagnostic_updater/diagnostic_updater.hpp"
#include "ovf/estimator/estimator.hpp"
#include "ovf_ros/input_counts.hpp"
#include "ovf_ros/input_subscriptions.hpp"
#include "ovf_ros/static_mounting.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"

namespace ovf_ros {

/// What an EstimatorNode tells on /diagnostics: how the estimator is, how learning goes, what
/// speaks against the model, and how each of its inputs does, with the parameter to change where
/// something is wrong.
class EstimatorDiagnostics {
 public:
  /// What there is to look at; null: not now.
  struct View {
    const ovf::Estimator* estimator = nullptr;
    const InputSubscriptions* inputs = nullptr;  ///< null: the node is not active
    const StaticMounting* mounting = nullptr;
  };

  /// The node must outlive it.
  EstimatorDiagnostics(rclcpp_lifecycle::LifecycleNode& node, const ovf::EstimatorConfig& config);

  void set_view(const View& view) { view_ = view; }
  /// Forgets what came before; silences count from now on.
  void start();
  void update() { updater_.force_update(); }

  /// A taker is the index of a sensor, or -1 for the control.
  void received(int taker) { counts(taker).received(now()); }
  void unused(int taker, const std::string& reason) { counts(taker).unused(reason); }
  void processed(const ovf::Message& message, const ovf::EstimatorResult& result);
  /// What became of the last save; empty: it worked.
  void saved(const std::string& problem) { save_problem_ = problem; }

 private:
  using Status = diagnostic_updater::DiagnosticStatusWrapper;

  void report_estimator(Status& status);
  void report_learning(Status& status);
  void report_model(Status& status);
  void report_input(int taker, Status& status);
  std::string first_belief_advice() const;
  /// Names of the sensors that contradict others at present; empty: none does.
  std::string contradicting_sensors() const;
  bool is_recent(ovf::EventKind kind) const;
  bool is_recent(const std::optional<ovf::Stamp>& stamp) const;
  ovf::Stamp now() const;
  InputCounts& counts(int taker) { return counts_[static_cast<std::size_t>(taker) + 1]; }

  rclcpp_lifecycle::LifecycleNode& node_;
  ovf::EstimatorConfig config_;
  View view_;
  std::vector<InputCounts> counts_;
  std::array<std::optional<ovf::Stamp>, ovf::kEvents> events_;
  std::vector<std::optional<ovf::Stamp>> contradictions_;  // of each sensor, the last
  std::optional<ovf::Stamp> failure_;
  std::string failure_text_;
  std::string save_problem_;
  diagnostic_updater::Updater updater_;
};

/// That there is no transform to the frame of this sensor's messages, and what to do.
std::string missing_transform_text(const ovf::EstimatorConfig& config, int sensor,
                                   const std::string& frame);

/// That the errors of this sensor last, and what the estimator does about it.
std::string lasting_errors_text(const ovf::SensorConfig& sensor, double correlation);

/// That a sensor contradicted others, and how.
std::string contradiction_text(const ovf::EstimatorConfig& config, const ovf::Contradiction& told);

/// That the clock of an input is so many seconds ahead of the others, and what to do.
std::string clock_offset_text(const ovf::EstimatorConfig& config, double offset);

/// What to change when messages are not used for this reason.
std::string advice_for(const std::string& reason, const std::string& sensor);

}  // namespace ovf_ros
