#pragma once

#include <Eigen/Core>
#include <limits>

#include "ovf/estimator/messages.hpp"
#include "ovf/math/archive.hpp"

namespace ovf {

/// Whether one sensor contradicts the belief, that is, everything else: a good part of its messages
/// of the last seconds is far from what was predicted. Then its messages are held back until it has
/// agreed with itself for a while, because nothing tells at once which side is right.
class ContradictionWatch {
 public:
  /// A message is far off beyond so many times the expected normalised innovation squared.
  static constexpr double kFar = 10.0;
  /// Messages are held back for so long after the sensor last disagreed with itself, in seconds.
  static constexpr double kHold = 5.0;
  /// But no longer than this in one piece: what scatters for so long may have more noise than it
  /// had, which has to be learned from it. It is then not held back for the same time.
  static constexpr double kMaxHold = 30.0;

  /// A message with this innovation, of one of several landmarks or none (-1). True: the sensor is
  /// found to contradict the belief; that is said once in kHold seconds, and not of one landmark
  /// alone, which is taken for another or has moved.
  bool see(Stamp stamp, int target, const Eigen::VectorXd& innovation, double nis, double gate);
  /// Whether messages of this time are held back.
  bool holds(Stamp stamp) const { return stamp < held_until_; }
  /// From now on its messages are held back; they are `innovation` away from the belief, which are
  /// so many standard deviations.
  void hold(Stamp stamp, const Eigen::VectorXd& innovation, double deviations);
  /// A message that is held back. One that is as far from the one before as both sides are from
  /// each other shows that the sensor does not agree with itself: it is held longer.
  void see_held(Stamp stamp, const Eigen::VectorXd& innovation);
  /// When it last agreed with the belief.
  bool has_agreed() const { return agreed_ != kNever; }
  Stamp agreed() const { return agreed_; }

  void archive(Archive& archive);

 private:
  static constexpr Stamp kNever = std::numeric_limits<Stamp>::min();

  Stamp last_ = kNever;
  Stamp agreed_ = kNever;
  double far_ = 0.0;  // messages that were far off, those of the last seconds counting most
  double all_ = 0.0;
  Stamp far_since_ = kNever;
  int far_target_ = -1;   // of the first of these
  bool several_ = false;  // other landmarks were far off, too
  Stamp told_ = kNever;
  Stamp held_since_ = kNever;
  Stamp held_until_ = kNever;
  Stamp free_until_ = kNever;
  double other_side_ = 0.0;          // messages that differ by more are on different sides
  Eigen::VectorXd held_innovation_;  // of the last message that was held back
};

}  // namespace ovf
