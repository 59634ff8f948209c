#include "ovf/filter/health_watch.hpp"

#include <algorithm>
#include <limits>

namespace ovf {
namespace {

constexpr double kFar = 10.0;     // times the expected normalised innovation squared
constexpr double kWindow = 50.0;  // observations
constexpr double kShare = 0.2;    // of them that may be far off
constexpr double kMaxNis = 4.0;   // that one observation counts for, for each dimension
constexpr double kMaxMeanNis = 1.2;
constexpr int kNisWindow = 300;  // observations
constexpr int kMinNisCount = 100;
constexpr int kMaxFailures = 20;
constexpr long kSettled = 100;          // steps after a restart, or a choice between two beliefs
constexpr double kWeightWindow = 10.0;  // steps
constexpr double kMaxLogVariance = 0.35;
constexpr double kMaxStepVariance = 1.0;  // one step alone says little

}  // namespace

Health HealthWatch::step_taken(const StepSigns& signs) {
  failures_ = 0;
  if (signs.dim > 0) {
    const bool far = !(signs.nis <= kFar * static_cast<double>(signs.dim));
    far_share_ += ((far ? 1.0 : 0.0) - far_share_) / kWindow;
    if (signs.gaussian) {
      gaussian_count_ = std::min(gaussian_count_ + 1, kNisWindow);
      const double nis = far ? kMaxNis : signs.nis / static_cast<double>(signs.dim);
      mean_nis_ += (std::min(nis, kMaxNis) - mean_nis_) / gaussian_count_;
    }
  }
  log_variance_ += (std::min(signs.log_variance, kMaxStepVariance) - log_variance_) / kWeightWindow;
  if (signs.ambiguous) ambiguous_until_ = signs.steps + kSettled + 1;
  if (signs.steps >= kSettled) restarted_ = false;
  if (restarted_) return Health::kRestarted;
  if (far_share_ > kShare) return Health::kInconsistent;
  if (signs.steps < ambiguous_until_) return Health::kAmbiguous;
  if (gaussian_count_ >= kMinNisCount && mean_nis_ > kMaxMeanNis) return Health::kOverconfident;
  return log_variance_ > kMaxLogVariance ? Health::kPoorFit : Health::kGood;
}

bool HealthWatch::step_failed() { return ++failures_ >= kMaxFailures; }

void HealthWatch::set_restarted() {
  failures_ = 0;
  far_share_ = 0.0;
  mean_nis_ = 0.0;
  gaussian_count_ = 0;
  log_variance_ = 0.0;
  ambiguous_until_ = 0;
  restarted_ = true;
}

void HealthWatch::archive(Archive& archive) {
  archive.number("share of observations that are far off", far_share_);
  archive.require(far_share_ >= 0.0 && far_share_ <= 1.0, "share of observations that are far off",
                  "a number from 0 to 1");
  archive.number("mean NIS", mean_nis_);
  archive.require(mean_nis_ >= 0.0, "mean NIS", "0 or a positive number");
  archive.integer("observations with Gaussian noise", gaussian_count_, 0, kNisWindow);
  archive.number("variance of log weights", log_variance_);
  archive.require(log_variance_ >= 0.0, "variance of log weights", "0 or a positive number");
  archive.integer("steps of ambiguity", ambiguous_until_, 0, std::numeric_limits<long>::max() - 1);
  archive.integer("failed steps", failures_, 0, std::numeric_limits<int>::max() - 1);
  archive.flag("restarted", restarted_);
}

}  // namespace ovf
