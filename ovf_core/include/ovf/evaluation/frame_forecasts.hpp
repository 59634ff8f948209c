#pragma once

#include <Eigen/Core>
#include <deque>
#include <vector>

#include "ovf/vision/camera_estimator.hpp"

namespace ovf {

/// What a camera's estimator expected to see, compared with what it saw then: online, from what was
/// known at the time, in constant memory.
class FrameForecasts {
 public:
  /// A forecast, and the pictures that came: the first of each is the present one.
  struct Strip {
    Stamp stamp = 0;
    std::vector<Image> seen, expected;
  };

  /// Pictures are forecast `horizon` steps of so many seconds ahead; at most `strips` are kept to
  /// look at, evenly spread over all that were made.
  FrameForecasts(int horizon, double step, int strips = 8);

  /// After a picture that was used. `forecast`: make one from here.
  void add(const CameraEstimator& estimator, const Image& image, bool forecast);

  int forecasts(int ahead) const { return counts_[ahead - 1]; }
  /// Mean squared error of standardised pixels, so many steps ahead; NaN: there was none.
  double error(int ahead) const { return mean_of(errors_, ahead); }
  /// That of the picture from which the forecast was made.
  double persistence(int ahead) const { return mean_of(persistence_, ahead); }
  const std::vector<Strip>& strips() const { return strips_; }

 private:
  struct Pending {
    Stamp stamp = 0;
    int next = 1;
    Eigen::VectorXd present;
    Eigen::MatrixXd expected;
    Strip strip;
    bool keep = false;
  };
  double mean_of(const Eigen::VectorXd& sums, int ahead) const;
  void compare(const CameraEstimator& estimator, Pending& pending);
  void finish(Pending& pending);

  int horizon_;
  double step_;
  std::size_t most_strips_;
  long made_ = 0;
  long stride_ = 1;
  std::deque<Pending> pending_;
  std::vector<Strip> strips_;
  Eigen::VectorXd errors_, persistence_;
  Eigen::VectorXi counts_;
  Eigen::VectorXd pixels_;
};

}  // namespace ovf
