#include "ovf/estimator/contradiction_watch.hpp"

#include <algorithm>
#include <cmath>

namespace ovf {
namespace {

constexpr double kMemory = 2.0;  // seconds
// Of two messages further apart, no more than this counts as support, in seconds.
constexpr double kMaxInterval = 1.0;

// A share of far messages that is more than outliers, from this many of them on.
constexpr double kMaxShare = 0.4;
constexpr double kMinFar = 1.2;
// A belief that is off finds back by itself within this time, in seconds, where it can.
constexpr double kPatience = 0.9;
// With less than this share of far messages they are over.
constexpr double kMinShare = 0.25;
// Messages that are taken to have agreed before the first: two at the start are no majority.
constexpr double kBefore = 4.0;
// It is told again after so many seconds.
constexpr double kTellAgain = 5.0;

// Innovations point one way: their mean is beyond so many standard deviations, of which none counts
// more than kMaxDeviations, and their sum beyond what chance does.
constexpr double kMeanDeviations = 1.5;
constexpr double kMaxDeviations = 3.0;
constexpr double kSumSquared = 25.0;

// A jump is by so many standard deviations more than the message before was off, and from a belief
// that was supported for so long, in seconds.
constexpr double kJump = 3.0;
constexpr double kMinSupport = 0.5;
// Support of the belief before the dispute counts no longer than this, and that of the side which
// was left fades with this time constant.
constexpr double kMaxSupport = 20.0;
// A second of far messages takes this much of it.
constexpr double kFarSupport = 0.5;
constexpr double kFading = 60.0;
// A dispute is over when one side has so many times the support of the other.
constexpr double kDecided = 7.0;
// Neither is sure before.
constexpr double kMinShareOfSide = 1.0 / 8.0;
constexpr double kMaxShareOfSide = 0.5;
// The other side is taken when its support exceeds the belief's by this, in seconds; one that was
// the belief before, after a run so long.
constexpr double kMargin = 0.5;
constexpr double kRun = 1.0;
constexpr int kRunLength = 3;
// Far messages differ by less than this share of the distance between the sides, or by what noise
// does in standard deviations, if they are on the same side.
constexpr double kSameSide = 0.5;
// Half of the way to the other side, as a share of its normalised innovation squared; and what is
// nearer than this does not contradict the belief any more, which may have become less certain.
constexpr double kNearer = 0.25;
constexpr double kSeparate = 4.0;
constexpr double kMaxNoise = 5.0;
// What scatters for so long, in seconds, has more noise than it had, which has to be learned from
// it: for as long there is no dispute again.
constexpr double kMaxScatter = 30.0;
constexpr double kCoherent = 2.0;  // seconds of support of one side: that is no scatter

Stamp nanoseconds(double seconds) { return static_cast<Stamp>(seconds / kSecondsPerNanosecond); }

double deviations(const Eigen::VectorXd& innovation, double nis) {
  return std::sqrt(nis / static_cast<double>(std::max<Eigen::Index>(1, innovation.size())));
}

}  // namespace

double ContradictionWatch::limit(Stamp stamp, int dim, double largest) const {
  // Whatever is nearer to the other side than to the belief belongs there.
  if (in_dispute()) return std::clamp(kNearer * nis_of_other_side_, kSeparate * dim, largest);
  if (support_ < kMinSupport || stamp < no_dispute_until_) {
    return std::numeric_limits<double>::infinity();
  }
  const double jump = last_deviations_ + kJump;
  return std::max(largest, jump * jump * dim);
}

ContradictionWatch::Finding ContradictionWatch::see(const Message& message, double limit) {
  const double seconds =
      last_ == kNever ? 0.0 : std::clamp(seconds_between(last_, message.stamp), 0.0, kMaxInterval);
  if (last_ == kNever) all_ = kBefore;
  const double memory = std::exp(-seconds / kMemory);
  far_ *= memory;
  all_ *= memory;
  last_ = message.stamp;
  const auto dim = static_cast<double>(message.innovation.size());
  const bool far = message.nis > std::min(kFar * dim, message.gate);
  const bool large_share = share_is_large(message, far);
  const bool one_way = points_one_way(message, seconds);
  if (!far) agreed_ = message.stamp;
  last_deviations_ = deviations(message.innovation, message.nis);

  if (in_dispute()) {
    told_in_dispute_ = told_in_dispute_ || large_share;
    const Finding finding = see_in_dispute(message, message.nis > limit, seconds);
    if (finding != Finding::kNothing) return finding;
  } else if (message.nis > limit) {
    open_dispute(message);
  } else {
    support_ = std::clamp(support_ + (far ? -kFarSupport : 1.0) * seconds, 0.0, kMaxSupport);
    if (one_way) {
      support_ = 0.0;
      return Finding::kDiverges;
    }
    if (large_share && message.may_dispute && message.stamp >= no_dispute_until_) {
      open_dispute(message);
      told_in_dispute_ = true;
      support_ = 0.0;
    }
  }
  return large_share ? Finding::kContradicts : Finding::kNothing;
}

bool ContradictionWatch::share_is_large(const Message& message, bool far) {
  all_ += 1.0;
  if (!far) {
    if (far_ < kMinShare * all_) far_since_ = kNever;
    return false;
  }
  if (far_since_ == kNever) {
    far_since_ = message.stamp;
    far_target_ = message.target;
    several_ = false;
  }
  several_ = several_ || message.target < 0 || message.target != far_target_;
  far_ += 1.0;
  if (!several_ || seconds_between(far_since_, message.stamp) < kPatience || far_ <= kMinFar ||
      far_ <= kMaxShare * all_ || !tell(message.stamp)) {
    return false;
  }
  far_ = 0.0;
  all_ = kBefore;
  far_since_ = kNever;
  return true;
}

bool ContradictionWatch::points_one_way(const Message& message, double seconds) {
  const double length = message.innovation.norm();
  const auto dim = static_cast<double>(message.innovation.size());
  const auto begin_again = [&] {
    sum_.setZero(message.innovation.size());
    sum_of_weights_ = sum_of_squares_ = 0.0;
  };
  const bool counts = message.independent && message.target < 0 && length > 0.0;
  if (!counts || sum_.size() != message.innovation.size()) begin_again();
  if (!counts) return false;
  const double memory = std::exp(-seconds / kMemory);
  const double most = kMaxDeviations * std::sqrt(dim);
  sum_ = memory * sum_ + std::min(std::sqrt(message.nis), most) / length * message.innovation;
  sum_of_weights_ = memory * sum_of_weights_ + 1.0;
  sum_of_squares_ = memory * memory * sum_of_squares_ + 1.0;
  const bool one_way = sum_.norm() > kMeanDeviations * sum_of_weights_ &&
                       sum_.squaredNorm() > kSumSquared * sum_of_squares_;
  if (one_way) begin_again();
  return one_way;
}

void ContradictionWatch::open_dispute(const Message& message) {
  dispute_since_ = message.stamp;
  told_in_dispute_ = was_left_ = false;
  other_support_ = run_ = 0.0;
  run_length_ = 1;
  run_is_far_ = true;
  other_side_ = message.innovation;
  nis_of_other_side_ = message.nis;
}

void ContradictionWatch::close_dispute() {
  dispute_since_ = kNever;
  told_in_dispute_ = false;
  support_ = std::min(kMaxSupport, support_);
  other_side_.resize(0);
}

ContradictionWatch::Finding ContradictionWatch::see_in_dispute(const Message& message, bool far,
                                                               double seconds) {
  const bool same_size = message.innovation.size() == other_side_.size();
  const double tolerance =
      message.innovation.norm() * std::max(kSameSide, kMaxNoise / last_deviations_);
  const bool elsewhere =
      far && !(same_size && (message.innovation - other_side_).norm() <= tolerance);
  if (far != run_is_far_ || elsewhere) {
    run_ = 0.0;
    run_length_ = 0;
    run_is_far_ = far;
  } else {
    run_ += seconds;
  }
  ++run_length_;
  if (!far || message.others_agree) support_ += seconds;
  if (far) {
    if (elsewhere) {
      other_support_ = 0.0;
      was_left_ = false;
    } else {
      other_support_ += seconds;
    }
    other_side_ = message.innovation;
    nis_of_other_side_ = message.nis;
    const double dim = static_cast<double>(message.innovation.size());
    const bool separate = kNearer * message.nis > kSeparate * dim;
    const bool comes_back = was_left_ && run_ >= kRun && run_length_ >= kRunLength;
    if (other_support_ > support_ + kMargin || comes_back || (told_in_dispute_ && !separate) ||
        run_length_ >= message.patience) {
      std::swap(support_, other_support_);
      support_ = std::min(kMaxSupport, support_);
      other_support_ = std::min(kMaxSupport, other_support_);
      other_side_ = -other_side_;
      was_left_ = true;
      told_in_dispute_ = true;
      run_ = 0.0;
      run_length_ = 0;
      return Finding::kTakeOtherSide;
    }
  } else if (was_left_) {
    other_support_ *= std::exp(-seconds / kFading);
    if (support_ > kDecided * other_support_) close_dispute();
  } else if (run_ >= kRun && run_length_ >= kRunLength) {
    close_dispute();
  }
  if (in_dispute() && !was_left_ && other_support_ < kCoherent &&
      seconds_between(dispute_since_, message.stamp) > kMaxScatter) {
    close_dispute();
    no_dispute_until_ = message.stamp + nanoseconds(kMaxScatter);
  }
  return Finding::kNothing;
}

bool ContradictionWatch::tell(Stamp stamp) {
  if (told_ != kNever && seconds_between(told_, stamp) < kTellAgain) return false;
  told_ = stamp;
  return true;
}

void ContradictionWatch::doubt_belief() { support_ = std::min(support_, kMinSupport); }

double ContradictionWatch::share_of_other_side() const {
  if (!told()) return 0.0;
  if (support_ <= other_support_) return kMaxShareOfSide;
  return std::max(kMinShareOfSide, other_support_ / (support_ + other_support_));
}

void ContradictionWatch::archive(Archive& archive) {
  const auto stamp = [&](const char* name, Stamp& value) {
    archive.integer(name, value, kNever, std::numeric_limits<Stamp>::max());
  };
  const auto amount = [&](const char* name, double& value) {
    archive.number(name, value);
    archive.require(value >= 0.0 && std::isfinite(value), name, "a finite number, not negative");
  };
  const auto vector = [&](const char* name, Eigen::VectorXd& value) {
    archive.vector(name, value, Archive::kAnySize);
    archive.require_finite(name, value);
  };
  stamp("last compared", last_);
  stamp("last agreement", agreed_);
  amount("last deviations", last_deviations_);
  amount("support of the belief", support_);
  amount("far messages", far_);
  amount("compared messages", all_);
  archive.require(far_ <= all_, "far messages", "at most as many as all messages");
  archive.integer("far landmark", far_target_, -1, std::numeric_limits<int>::max());
  archive.flag("several far landmarks", several_);
  stamp("far since", far_since_);
  stamp("told", told_);
  vector("sum of innovations", sum_);
  amount("sum of weights", sum_of_weights_);
  amount("sum of squared weights", sum_of_squares_);
  stamp("dispute since", dispute_since_);
  stamp("no dispute until", no_dispute_until_);
  archive.flag("told of the dispute", told_in_dispute_);
  vector("other side", other_side_);
  amount("distance of the other side", nis_of_other_side_);
  amount("support of the other side", other_support_);
  archive.flag("other side was left", was_left_);
  amount("run", run_);
  archive.integer("messages of the run", run_length_, 0, std::numeric_limits<int>::max());
  archive.flag("run is far", run_is_far_);
}

}  // namespace ovf
