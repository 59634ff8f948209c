#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "ovf/math/gaussian.hpp"
#include "ovf/math/random.hpp"

namespace ovf {

/// The last steps as examples for a network: what it saw, and the posterior that was found. Without
/// them it would forget, with each step, what the steps before have taught it.
class ReplayMemory {
 public:
  /// `forgets_beginning`: until it is full it holds the newer two thirds of all steps. Posteriors
  /// that a network found when it had just begun to learn are poor examples.
  ReplayMemory(int capacity, bool forgets_beginning)
      : capacity_(static_cast<std::size_t>(capacity)), forgets_beginning_(forgets_beginning) {}

  struct Example {
    Eigen::VectorXd inputs;
    Gaussian target;
  };
  /// Where there is no room the oldest example makes it.
  void add(const Eigen::VectorXd& inputs, const Gaussian& target);
  bool empty() const { return examples_.empty(); }
  const Example& draw(RandomStream& random) const;

  /// Of targets with this dimension and form, and of inputs that the network accepts.
  void archive(Archive& archive, int dim, CovarianceForm form,
               const std::function<bool(const Eigen::VectorXd& inputs)>& accepts);

 private:
  std::size_t capacity_;
  bool forgets_beginning_;
  std::size_t next_ = 0;  // the place of the next one and of the oldest
  std::vector<Example> examples_;
};

}  // namespace ovf
