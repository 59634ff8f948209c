#pragma once

#include <Eigen/Core>
#include <vector>

#include "ovf/filter/step_record.hpp"
#include "ovf/math/random.hpp"

namespace ovf {

/// The approximate average log-likelihood of Section B.3,
///     1/t sum_k log int q_{k-1}(x_{k-1}) f_theta(x_k | x_{k-1}) g(y_k | x_k) dx_{k-1} dx_k,
/// of one run for any theta. x_k is drawn from q_k and weighed, where the paper draws it from
/// f_theta: of thousands of pixels such a draw explains next to nothing, so that its sum has one
/// term that counts.
class LatentLikelihood {
 public:
  /// Draws of x_k, and of x_{k-1}, for each step.
  explicit LatentLikelihood(int samples = 8, std::uint64_t seed = 1);

  /// A step that was taken; the first one, which has no x_{k-1}, and those without an observation
  /// are left out.
  void add(const StateSpaceModel& model, const StepRecord& record);
  std::size_t steps() const { return terms_.size(); }
  /// Nats per step, under the transition's present theta; 0 without a step.
  double average(const Transition& transition) const;

 private:
  struct Term {
    StepInput input;
    Eigen::MatrixXd from, to;
    Eigen::VectorXd log_weights;  ///< log g - log q of each draw of x_k
  };
  int samples_;
  RandomStream random_;
  std::vector<Term> terms_;
};

}  // namespace ovf
