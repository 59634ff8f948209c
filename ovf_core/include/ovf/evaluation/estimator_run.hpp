#pragma once

#include <functional>
#include <optional>
#include <span>

#include "ovf/estimator/estimator.hpp"
#include "ovf/estimator/start_at_pose.hpp"
#include "ovf/evaluation/run_record.hpp"

namespace ovf {

struct EstimatorRunOptions {
  /// Where it starts; none: by the configured rule.
  std::optional<InitialPose> start = {};
  /// Called after every message.
  std::function<void(const Estimator&, const Message&, const EstimatorResult&)> after = {};
};

struct EstimatorRun {
  /// Poses after every message that moved the belief, with the processor time that messages took;
  /// no updates, rollouts and parameters.
  RunRecord record = {};
  Counters counters = {};
  std::vector<std::string> findings = {};  ///< as ovf::findings
};

/// An estimator over messages in the order in which they came, kept in memory. Throws
/// std::invalid_argument if the configuration makes no sense.
EstimatorRun run_estimator(const EstimatorConfig& config, std::span<const Message> messages,
                           const EstimatorRunOptions& options = {});

}  // namespace ovf
