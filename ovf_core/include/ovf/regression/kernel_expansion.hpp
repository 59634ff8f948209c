#pragma once

#include <Eigen/Core>

#include "ovf/math/archive.hpp"
#include "ovf/regression/kernel.hpp"

namespace ovf {

/// f(x) = offset + sum_p w_p k(|x - x_p|), laid out for fast evaluation. Scalar is float or double.
/// Evaluation uses scratch memory of the object: one object must not be evaluated by two threads.
template <typename Scalar>
class KernelExpansion {
 public:
  /// points: dimension x P, weights: outputs x P. `centre` is subtracted in double precision from
  /// the points and later from the inputs, so that a large common offset costs no digits.
  void set(KernelKind kind, double bandwidth, const Eigen::VectorXd& centre,
           const Eigen::MatrixXd& points,
           const Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& weights,
           const Eigen::VectorXd& offset);

  void evaluate(const Eigen::MatrixXd& inputs, Eigen::MatrixXd& outputs) const;

  void archive(Archive& archive, int inputs, int outputs);

 private:
  // A tile is one cache line (and one AVX-512 register) of inputs, one input per lane.
  static constexpr int kLanes = 64 / sizeof(Scalar);
  // Points whose kernel values are held between the three passes of evaluate_tile; fits in L1.
  static constexpr int kBlock = 32;
  static constexpr int kUnroll = 4;
  using Lane = Eigen::Array<Scalar, kLanes, 1>;
  using Tile = Eigen::Array<Scalar, kLanes, Eigen::Dynamic>;
  using Table = Eigen::Array<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

  void evaluate_tile() const;

  KernelKind kind_ = KernelKind::kRbf;
  double inverse_bandwidth_ = 1.0;
  Eigen::VectorXd centre_;
  Eigen::VectorXd offset_;
  // Both padded: points to a multiple of kBlock with weight zero, outputs to a multiple of kUnroll.
  Table points_;   // dimension x P, in units of the bandwidth
  Table weights_;  // outputs x P
  mutable Tile tile_inputs_;
  mutable Tile tile_outputs_;
};

}  // namespace ovf
