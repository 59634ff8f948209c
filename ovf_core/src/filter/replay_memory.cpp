#include "ovf/filter/replay_memory.hpp"

#include <cstddef>

namespace ovf {

void ReplayMemory::add(const Eigen::VectorXd& inputs, const Gaussian& target) {
  if (capacity_ == 0) return;
  if (next_ >= examples_.size()) next_ = 0;
  // Every third one takes the place of the oldest.
  const bool grow = !forgets_beginning_ || next_ % 3 != 2;
  if (grow && examples_.size() < capacity_) {
    examples_.emplace(examples_.begin() + static_cast<std::ptrdiff_t>(next_));
  }
  examples_[next_] = {inputs, target};
  ++next_;
}

const ReplayMemory::Example& ReplayMemory::draw(RandomStream& random) const {
  return examples_[static_cast<std::size_t>(
      random.uniform_index(static_cast<int>(examples_.size())))];
}

void ReplayMemory::archive(Archive& archive, int dim, CovarianceForm form,
                           const std::function<bool(const Eigen::VectorXd& inputs)>& accepts) {
  std::size_t count = examples_.size();
  archive.integer("remembered steps", count, 0, capacity_);
  examples_.resize(count);
  archive.integer("next place of memory", next_, 0, count);
  for (Example& example : examples_) {
    archive.vector("inputs of a remembered step", example.inputs, Archive::kAnySize);
    archive.require_finite("inputs of a remembered step", example.inputs);
    archive.require(accepts(example.inputs), "inputs of a remembered step",
                    "as many numbers as the network takes");
    example.target.archive(archive, dim);
    archive.require(example.target.factor.form() == form, "remembered posterior",
                    "a covariance of the same form");
  }
}

}  // namespace ovf
