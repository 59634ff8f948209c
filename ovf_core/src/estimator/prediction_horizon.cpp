#include "ovf/estimator/prediction_horizon.hpp"

#include <algorithm>
#include <limits>

namespace ovf {
namespace {

// Until the first one is known, in seconds.
constexpr double kFirst = 0.7;
// Of a new horizon in the average, once there are many.
constexpr double kRate = 0.1;
// Where the variance of a prediction has grown by that of the noise.
constexpr double kGrowth = 1.0;
constexpr double kUnseen = -1.0;

}  // namespace

PredictionHorizon::PredictionHorizon(int dim, int targets, double longest)
    : longest_(longest), seconds_(std::min(kFirst, longest)) {
  first_.setConstant(dim, targets, kUnseen);
}

void PredictionHorizon::clear() {
  *this =
      PredictionHorizon(static_cast<int>(first_.rows()), static_cast<int>(first_.cols()), longest_);
}

void PredictionHorizon::start(Stamp stamp) {
  // The last prediction was never less exact than the sensor, as far as it went.
  if (running_ && last_ > start_) average(seconds_between(start_, last_));
  running_ = true;
  start_ = last_ = stamp;
  first_.setConstant(kUnseen);
}

void PredictionHorizon::see(int target, Stamp stamp, const Eigen::VectorXd& variances) {
  if (!running_) return;
  last_ = stamp;
  auto first = first_.col(target);
  if (first[0] < 0.0) {
    first = variances;
  } else if ((variances - first).maxCoeff() > kGrowth) {
    average(seconds_between(start_, stamp));
    running_ = false;
  }
}

void PredictionHorizon::average(double horizon) {
  count_ += 1.0;
  seconds_ += std::max(1.0 / count_, kRate) * (std::min(horizon, longest_) - seconds_);
}

void PredictionHorizon::archive(Archive& archive) {
  archive.number("horizon", seconds_);
  archive.require(seconds_ >= 0.0 && seconds_ <= longest_, "horizon", "0 to error_time");
  archive.number("horizons", count_);
  archive.require(count_ >= 0.0 && count_ <= std::numeric_limits<double>::max(), "horizons",
                  "a number not below 0");
  archive.flag("horizon is being measured", running_);
  archive.integer("start of a horizon", start_, -kFarthestStamp, kFarthestStamp);
  archive.integer("last message within a horizon", last_, -kFarthestStamp, kFarthestStamp);
  archive.matrix("first variances of predictions", first_, first_.rows(), first_.cols());
  archive.require_finite("first variances of predictions", first_);
}

}  // namespace ovf
