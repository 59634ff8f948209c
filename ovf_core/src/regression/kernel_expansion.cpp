#include "ovf/regression/kernel_expansion.hpp"

#include <algorithm>
#include <cassert>

namespace ovf {
namespace {

Eigen::Index round_up(Eigen::Index value, int multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

template <typename Scalar>
void KernelExpansion<Scalar>::set(
    KernelKind kind, double bandwidth, const Eigen::VectorXd& centre, const Eigen::MatrixXd& points,
    const Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& weights,
    const Eigen::VectorXd& offset) {
  kind_ = kind;
  inverse_bandwidth_ = 1.0 / bandwidth;
  centre_ = centre;
  offset_ = offset;
  points_.setZero(points.rows(), round_up(points.cols(), kBlock));
  points_.leftCols(points.cols()) =
      ((points.colwise() - centre) * inverse_bandwidth_).template cast<Scalar>();
  weights_.setZero(round_up(weights.rows(), kUnroll), points_.cols());
  weights_.topLeftCorner(weights.rows(), weights.cols()) = weights.array();
  tile_inputs_.setZero(kLanes, points_.rows());
  tile_outputs_.setZero(kLanes, weights_.rows());
}

template <typename Scalar>
void KernelExpansion<Scalar>::evaluate(const Eigen::MatrixXd& inputs,
                                       Eigen::MatrixXd& outputs) const {
  const Eigen::Index dimension = points_.rows();
  const Eigen::Index count = offset_.size();
  assert(inputs.rows() == dimension);
  outputs.resize(count, inputs.cols());
  for (Eigen::Index first = 0; first < inputs.cols(); first += kLanes) {
    const Eigen::Index lanes = std::min<Eigen::Index>(kLanes, inputs.cols() - first);
    for (Eigen::Index lane = 0; lane < lanes; ++lane) {
      for (Eigen::Index k = 0; k < dimension; ++k) {
        const double scaled = (inputs(k, first + lane) - centre_[k]) * inverse_bandwidth_;
        tile_inputs_(lane, k) = static_cast<Scalar>(scaled);
      }
    }
    evaluate_tile();
    for (Eigen::Index lane = 0; lane < lanes; ++lane) {
      for (Eigen::Index o = 0; o < count; ++o) {
        outputs(o, first + lane) = offset_[o] + static_cast<double>(tile_outputs_(lane, o));
      }
    }
  }
}

// Four points, then four outputs, are worked on together: enough independent sums to hide the
// latency of the multiply-adds while all of them stay in registers.
template <typename Scalar>
void KernelExpansion<Scalar>::evaluate_tile() const {
  const Eigen::Index dimension = points_.rows();
  Eigen::Array<Scalar, kLanes, kBlock> block;
  tile_outputs_.setZero();
  for (Eigen::Index first = 0; first < points_.cols(); first += kBlock) {
    // Squared distances as sums of squared differences: no cancellation, no infinity minus
    // infinity.
    for (int p = 0; p < kBlock; p += kUnroll) {
      Lane s0 = Lane::Zero(), s1 = s0, s2 = s0, s3 = s0;
      const Scalar* point = &points_(0, first + p);
      for (Eigen::Index k = 0; k < dimension; ++k, ++point) {
        const Lane x = tile_inputs_.col(k);
        s0 += (x - point[0]).square();
        s1 += (x - point[dimension]).square();
        s2 += (x - point[2 * dimension]).square();
        s3 += (x - point[3 * dimension]).square();
      }
      block.col(p) = s0;
      block.col(p + 1) = s1;
      block.col(p + 2) = s2;
      block.col(p + 3) = s3;
    }
    kernel_values<Scalar>(
        kind_, Scalar{1},
        Eigen::Map<Eigen::Array<Scalar, Eigen::Dynamic, 1>>(block.data(), block.size()));
    for (Eigen::Index o = 0; o < weights_.rows(); o += kUnroll) {
      Lane s0 = tile_outputs_.col(o), s1 = tile_outputs_.col(o + 1);
      Lane s2 = tile_outputs_.col(o + 2), s3 = tile_outputs_.col(o + 3);
      for (int p = 0; p < kBlock; ++p) {
        const Lane k = block.col(p);
        const Scalar* weight = &weights_(o, first + p);
        s0 += k * weight[0];
        s1 += k * weight[1];
        s2 += k * weight[2];
        s3 += k * weight[3];
      }
      tile_outputs_.col(o) = s0;
      tile_outputs_.col(o + 1) = s1;
      tile_outputs_.col(o + 2) = s2;
      tile_outputs_.col(o + 3) = s3;
    }
  }
}

template <typename Scalar>
void KernelExpansion<Scalar>::archive(Archive& archive, int inputs, int outputs) {
  archive.choice("kernel", kind_, KernelKind::kMatern52);
  archive.number("kernel's inverse bandwidth", inverse_bandwidth_);
  archive.require_finite("kernel's inverse bandwidth", inverse_bandwidth_);
  archive.vector("kernel centre", centre_, inputs);
  archive.require_finite("kernel centre", centre_);
  archive.vector("kernel offset", offset_, outputs);
  archive.require_finite("kernel offset", offset_);
  archive.matrix("kernel points", points_, inputs, Archive::kAnySize);
  // A point may be infinitely far away in this precision: it counts as nothing there.
  archive.require(!points_.isNaN().any(), "kernel points", "numbers");
  archive.require(points_.cols() % kBlock == 0, "kernel points", "whole blocks");
  archive.matrix("kernel weights", weights_, round_up(outputs, kUnroll), points_.cols());
  archive.require_finite("kernel weights", weights_);
  if (!archive.reading()) return;
  tile_inputs_.setZero(kLanes, points_.rows());
  tile_outputs_.setZero(kLanes, weights_.rows());
}

template class KernelExpansion<float>;
template class KernelExpansion<double>;

}  // namespace ovf
