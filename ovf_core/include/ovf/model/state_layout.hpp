#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "ovf/math/gaussian.hpp"
#include "ovf/model/motion.hpp"
#include "ovf/model/nonlinear_transition.hpp"

namespace ovf {

/// A constant of the robot or of a sensor that may be learned: then it is a part of the state, so
/// that its uncertainty is shared with everything else that is uncertain.
struct LearnedQuantity {
  double value = 0.0;
  /// How far off the value may be (standard deviation); 0: it is known, and not learned.
  double deviation = 0.0;
  /// How fast it changes (standard deviation after one second).
  double drift = 0.0;
};

/// One number of the whole state.
struct StateEntry {
  std::string name;
  double start = 0.0;
  double deviation = 1.0;
  /// Standard deviation of the process noise after one second.
  double noise = 0.0;
  /// The group of states whose noise is learned as one; empty: it is not learned.
  std::string noise_learned_as;
  bool angle = false;
  bool parameter = false;  ///< learned, rather than moving
};

/// Which number of the state is what: first a motion's own, then what is learned along with it.
class StateLayout {
 public:
  /// Throws std::invalid_argument on a repeated name, a start that is not finite, or a deviation or
  /// noise that is not positive.
  int add(StateEntry entry);
  /// Adds a learned quantity to the state; one that is known takes no place in it. Throws as above,
  /// and on a negative drift.
  Quantity add(const std::string& name, const LearnedQuantity& quantity,
               const std::string& drift_learned_as = "");

  int dim() const { return static_cast<int>(entries_.size()); }
  const std::vector<StateEntry>& entries() const { return entries_; }
  const StateEntry& entry(int i) const { return entries_[static_cast<std::size_t>(i)]; }
  /// -1: there is none of this name.
  int find(const std::string& name) const;

  Gaussian prior() const;
  ProcessNoise process_noise() const;

 private:
  std::vector<StateEntry> entries_;
};

}  // namespace ovf
