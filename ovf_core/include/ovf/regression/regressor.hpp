#pragma once

#include <Eigen/Core>
#include <memory>

#include "ovf/math/archive.hpp"

namespace ovf {

/// A function learned from samples: the approximators of V, T and S (Section 3.5, Appendix A).
/// Columns are samples. One fit serves several outputs.
class Regressor {
 public:
  virtual ~Regressor() = default;

  /// Learns targets (outputs x P) at inputs (dimension x P). Hyper-parameters and network weights
  /// continue from the last fit. Throws std::invalid_argument on empty, mismatched or non-finite
  /// data and then keeps the last fit.
  virtual void fit(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets) = 0;

  /// One step of hyper-parameter learning on validation samples; targets may hold only the leading
  /// outputs. Does nothing where there is nothing to learn.
  virtual void tune(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets);

  /// Values (outputs x N) at inputs (dimension x N); fit must have been called.
  virtual void predict(const Eigen::MatrixXd& inputs, Eigen::MatrixXd& outputs) const = 0;

  /// Takes over what the next fit starts from (bandwidth, network weights), not the fit itself.
  /// `last` must be of the same kind.
  virtual void continue_from(const Regressor& last) = 0;

  virtual std::unique_ptr<Regressor> clone() const = 0;

  /// What predictions and the next fit need. The sizes are those of the fit; zeros before the
  /// first.
  virtual void archive(Archive& archive, int inputs, int outputs) = 0;
};

/// Throws std::invalid_argument unless inputs and targets are finite, not empty and have as many
/// columns.
void check_samples(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets);

}  // namespace ovf
