#pragma once

#include <Eigen/Core>
#include <limits>

#include "ovf/estimator/messages.hpp"
#include "ovf/math/archive.hpp"

namespace ovf {

/// Whether one sensor contradicts the belief, that is, everything else.
///
/// A sensor that *jumps*, from agreement to far away within one message, opens a dispute between
/// two sides: the belief, and where the sensor is now. Nothing tells at once which is right. What
/// counts is for how long each was supported: before, the belief by this sensor itself. Messages
/// far from the belief are not used meanwhile. Once the other side has more support, it is taken,
/// and the side that was left stays in mind: a sensor that comes back to it is believed at once.
///
/// A sensor that *diverges*, message by message, has a belief that follows it: there are no sides,
/// but the motion is in doubt.
class ContradictionWatch {
 public:
  /// A message is far off beyond so many times the expected normalised innovation squared.
  static constexpr double kFar = 10.0;

  enum class Finding {
    kNothing,
    kContradicts,    ///< many messages are far off; told once in some seconds
    kDiverges,       ///< its innovations of the last seconds point one way
    kTakeOtherSide,  ///< the sensor is right, rather than the belief
  };
  struct Message {
    Stamp stamp = 0;
    int target = -1;  ///< of several landmarks, or none
    const Eigen::VectorXd& innovation;
    double nis = 0.0;
    double gate = 0.0;                               ///< of the sensor
    int patience = std::numeric_limits<int>::max();  ///< far messages in a row that are too many
    bool may_dispute = false;
    /// Its errors are independent, so that innovations which point one way show something.
    bool independent = true;
    /// Other sensors of place agreed with the belief of late.
    bool others_agree = false;
  };

  /// The largest normalised innovation squared that a message of so many numbers may have to be
  /// used: smaller than infinity if beyond it the sensor would have jumped. Good messages are below
  /// `largest`.
  double limit(Stamp stamp, int dim, double largest) const;
  /// Of the next message; `limit`: as it was for this one.
  Finding see(const Message& message, double limit);

  /// Whether to tell now, which is once in some seconds.
  bool tell(Stamp stamp);
  /// The belief has no more support from before: the motion itself is in doubt.
  void doubt_belief();

  /// Messages far from the belief are not used.
  bool in_dispute() const { return dispute_since_ != kNever; }
  /// And it was told that the sensor contradicts.
  bool told() const { return in_dispute() && told_in_dispute_; }
  /// How much of the belief belongs on the other side.
  double share_of_other_side() const;

  /// Of the belief by this sensor, in seconds.
  double support() const { return support_; }
  /// When it last agreed with the belief.
  bool has_agreed() const { return agreed_ != kNever; }
  Stamp agreed() const { return agreed_; }

  void archive(Archive& archive);

 private:
  static constexpr Stamp kNever = std::numeric_limits<Stamp>::min();

  bool share_is_large(const Message& message, bool far);
  bool points_one_way(const Message& message, double seconds);
  void open_dispute(const Message& message);
  void close_dispute();
  Finding see_in_dispute(const Message& message, bool far, double seconds);

  Stamp last_ = kNever;
  Stamp agreed_ = kNever;
  double last_deviations_ = 0.0;  // by which the last message was off
  double support_ = 0.0;          // of the belief by this sensor, in seconds

  double far_ = 0.0;  // messages that were far off, those of the last seconds counting most
  double all_ = 0.0;
  Stamp far_since_ = kNever;
  int far_target_ = -1;   // of the first of these
  bool several_ = false;  // other landmarks were far off, too
  Stamp told_ = kNever;

  Eigen::VectorXd sum_;  // of the last seconds' normalised innovations
  double sum_of_weights_ = 0.0;
  double sum_of_squares_ = 0.0;

  Stamp dispute_since_ = kNever;
  Stamp no_dispute_until_ = kNever;
  bool told_in_dispute_ = false;
  Eigen::VectorXd other_side_;  // innovation of the last far message
  double nis_of_other_side_ = 0.0;
  double other_support_ = 0.0;  // in seconds
  bool was_left_ = false;       // the other side was the belief before
  double run_ = 0.0;            // seconds for which messages were on one side without a break
  int run_length_ = 0;          // and how many messages
  bool run_is_far_ = false;
};

}  // namespace ovf
