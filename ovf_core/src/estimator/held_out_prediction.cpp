#include "ovf/estimator/held_out_prediction.hpp"

#include <algorithm>
#include <limits>

namespace ovf {
namespace {

constexpr std::int64_t kMaxJudged = 1 << 20;

}  // namespace

void HeldOutPrediction::start(const Gaussian& belief, Stamp stamp) {
  running_ = true;
  since_ = stamp;
  belief_ = belief;
  judged_.clear();
}

void HeldOutPrediction::advance(const Transition& transition, const StepInput& input) {
  transition.linearise(input, belief_, Linearisation::kExpected, step_);
  mean_ = step_.offset;
  mean_.noalias() += step_.matrix * belief_.mean;
  lower_.noalias() = step_.matrix * belief_.factor.lower();
  covariance_.noalias() = lower_ * lower_.transpose();
  step_.noise.add_to(covariance_);
  running_ = mean_.allFinite() && belief_.factor.assign_covariance(covariance_, lower_);
  if (running_) belief_.mean = mean_;
}

bool HeldOutPrediction::first_of(int sensor, int target) {
  const std::int64_t key = (static_cast<std::int64_t>(sensor) << 32) + target;
  if (std::find(judged_.begin(), judged_.end(), key) != judged_.end()) return false;
  judged_.push_back(key);
  return true;
}

void HeldOutPrediction::archive(Archive& archive, int dim) {
  archive.flag("held-out prediction", running_);
  if (!running_) return;
  archive.integer("start of the held-out prediction", since_, -kFarthestStamp, kFarthestStamp);
  if (archive.reading()) belief_ = standard_gaussian(dim, CovarianceForm::kFull);
  belief_.archive(archive, dim);
  archive.require(!belief_.factor.is_diagonal(), "held-out prediction", "a full covariance");
  auto size = static_cast<std::int64_t>(judged_.size());
  archive.integer("judged by the held-out prediction", size, 0, kMaxJudged);
  judged_.resize(static_cast<std::size_t>(size));
  for (std::int64_t& key : judged_) {
    archive.integer("judged landmark", key, 0, std::numeric_limits<std::int64_t>::max());
  }
}

}  // namespace ovf
