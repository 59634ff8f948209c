#pragma once

#include <limits>
#include <vector>

#include "ovf/evaluation/error_summary.hpp"
#include "ovf/evaluation/pose_track.hpp"
#include "ovf/evaluation/run_record.hpp"

namespace ovf {

struct RolloutErrorOptions {
  /// Seconds ahead; empty: the times of the rollout that has most of them.
  std::vector<double> horizons = {0.5, 1.0, 2.0, 5.0};
  /// A rollout of stamp s is compared with the truth from s + time_offset seconds on.
  double time_offset = 0.0;
  /// Seconds of true motion before a rollout that give the velocity to compare with.
  double velocity_window = 0.5;
};

/// How far ahead the rollouts see. Figures of nothing are NaN.
struct HorizonError {
  double horizon = 0.0;  ///< seconds
  /// Rollouts with truth then, at their start and a velocity window before it: all figures are over
  /// the same ones.
  long count = 0;
  long left_out = 0;           ///< too short, without truth, or not fit for use
  ErrorSummary position = {};  ///< metres; the error of the belief at the start is part of it
  /// Shares of true positions within the ellipses of 50, 90 and 95 %, in the plane or in space.
  long with_covariance = 0;
  double coverage50 = std::numeric_limits<double>::quiet_NaN();
  double coverage90 = std::numeric_limits<double>::quiet_NaN();
  double coverage95 = std::numeric_limits<double>::quiet_NaN();
  /// To compare with, from the truth at the start: it stays there, it moves on as before.
  ErrorSummary standing = {};
  ErrorSummary constant_velocity = {};
};

/// The truth says whether all this is in the plane; where there is none, the estimates can be it.
/// Between its recorded times a rollout is interpolated.
std::vector<HorizonError> rollout_error(const std::vector<RolloutSample>& rollouts,
                                        const PoseTrack& truth,
                                        const RolloutErrorOptions& options = {});

}  // namespace ovf
