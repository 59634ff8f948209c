#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "ovf/estimator/messages.hpp"
#include "ovf/math/archive.hpp"

namespace ovf {

/// Whether the errors of a sensor last: drivers average and repeat, multipath wanders. Judged by
/// the structure function of the innovations, V(k) = E|r_t - r_{t-k}|^2 / 2 over k messages of the
/// same landmark: for independent errors it is the same at all lags, for errors that last it grows
/// with the lag. Until enough messages have come they are assumed to last.
class ErrorCorrelation {
 public:
  /// Lags are 1, 2, 4, ... messages.
  static constexpr int kLags = 5;
  static constexpr int kMaxLag = 1 << (kLags - 1);

  /// `may_last`: false: errors are taken for independent, whatever they look like.
  ErrorCorrelation(int dim, int targets, bool may_last);

  /// An innovation, its normalised square and the landmark (0 where there are none).
  void see(int target, Stamp stamp, const Eigen::VectorXd& innovation, double nis);
  void clear();

  bool errors_last() const { return errors_last_; }
  /// They do, and it is not only assumed.
  bool found() const { return judged_ && errors_last_; }
  /// Of neighbouring messages, as far as it differs from that of distant ones: 0 to 1.
  double correlation() const { return correlation_; }
  /// The correlation that messages within error_time are taken to have: 0 where errors do not last,
  /// 1 until they are judged.
  double assumed_correlation() const {
    if (!errors_last_) return 0.0;
    return judged_ ? correlation_ : 1.0;
  }
  /// What the next message of a landmark counts for, so that all within error_time (in seconds) say
  /// together as much as messages do whose errors have this correlation.
  double weight(int target, Stamp stamp, double correlation, double error_time) const;

  void archive(Archive& archive);

 private:
  /// The last innovations of one landmark, in a ring.
  struct Channel {
    Eigen::MatrixXd innovations;
    std::array<Stamp, kMaxLag> stamps{};
    std::int64_t count = 0;
  };
  void judge();

  bool may_last_;
  std::vector<Channel> channels_;
  Eigen::MatrixXd structure_;  // V, a column for each lag
  Eigen::VectorXd counts_;     // differences behind each column
  double correlation_ = 0.0;
  bool judged_ = false;
  bool errors_last_;
};

}  // namespace ovf
