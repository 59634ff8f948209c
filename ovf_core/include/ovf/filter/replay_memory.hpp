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
  explicit ReplayMemory(int capacity) : capacity_(static_cast<std::size_t>(capacity)) {}

  struct Example {
    Eigen::VectorXd inputs;
    Gaussian target;
  };
  /// The oldest example makes room.
  void add(const Eigen::VectorXd& inputs, const Gaussian& target);
  bool empty() const { return examples_.empty(); }
  const Example& draw(RandomStream& random) const;

  /// Of targets with this dimension and form, and of inputs that the network accepts.
  void archive(Archive& archive, int dim, CovarianceForm form,
               const std::function<bool(const Eigen::VectorXd& inputs)>& accepts);

 private:
  std::size_t capacity_;
  std::size_t next_ = 0;  // the place of the next one, once all are taken
  std::vector<Example> examples_;
};

}  // namespace ovf
