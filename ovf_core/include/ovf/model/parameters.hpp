#pragma once

#include <Eigen/Core>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

namespace ovf {

/// Prior standard deviation of the logarithm of a learned standard deviation, unless its model says
/// otherwise: right within a factor of three, in two cases of three.
inline constexpr double kScalePrior = 1.0986;  // log 3

/// How a parameter's natural value relates to the unconstrained number that learning moves.
enum class Transform {
  kIdentity,  ///< value = number, held between the bounds
  kPositive,  ///< value = exp(number)
  kBounded,   ///< value = lower + (upper - lower) / (1 + exp(-number))
};

struct ParameterInfo {
  std::string name;
  Transform transform = Transform::kIdentity;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  /// Of the unconstrained number, where learning is second order; 0: as configured for all.
  double prior_deviation = 0.0;
};

/// theta: one flat vector in which every number has a name, a transform and bounds.
class ParameterVector {
 public:
  /// Throws std::invalid_argument on a repeated name or a value outside the bounds.
  void add(ParameterInfo info, double value);
  void append(const ParameterVector& other);

  int size() const { return static_cast<int>(info_.size()); }
  const ParameterInfo& info(int i) const { return info_[static_cast<std::size_t>(i)]; }
  /// Throws std::out_of_range naming the parameter.
  int index_of(const std::string& name) const;

  /// Whether a value is at a limit of its parameter's range, or all but there.
  bool is_at_bound(int i, double value) const;

  const Eigen::VectorXd& values() const { return values_; }
  /// Throws std::invalid_argument on a wrong size or a value outside the bounds.
  void set_values(const Eigen::Ref<const Eigen::VectorXd>& values);

  Eigen::VectorXd unconstrained() const;
  /// Natural values of unconstrained numbers (and clamps identity numbers to their bounds).
  void to_natural(Eigen::VectorXd& unconstrained, Eigen::VectorXd& values) const;
  /// d value / d number at natural values, for the chain rule.
  void natural_slope(const Eigen::VectorXd& values, Eigen::VectorXd& slope) const;

 private:
  std::vector<ParameterInfo> info_;
  std::unordered_map<std::string, int> index_;  // by name
  Eigen::VectorXd values_;
};

}  // namespace ovf
