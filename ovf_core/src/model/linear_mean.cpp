#include "ovf/model/linear_mean.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace ovf {

LinearMean::LinearMean(const Spec& spec)
    : A_(spec.A),
      b_(spec.b.size() == 0 ? Eigen::VectorXd::Zero(spec.A.rows()) : spec.b),
      unit_slope_(spec.learn_A == Learned::kNo && A_.rows() == A_.cols() && A_.isIdentity(0.0)) {
  if (A_.size() == 0 || !A_.allFinite()) {
    throw std::invalid_argument("matrix A is empty or has an entry that is not finite");
  }
  if (b_.size() != A_.rows() || !b_.allFinite()) {
    throw std::invalid_argument(fmt::format(
        "offset b has {} entries; expected {} finite ones, as A has rows", b_.size(), A_.rows()));
  }
  for (Eigen::Index j = 0; j < A_.cols() && spec.learn_A != Learned::kNo; ++j) {
    for (Eigen::Index i = 0; i < A_.rows(); ++i) {
      if (spec.learn_A == Learned::kDiagonal && i != j) continue;
      entries_.push_back({i, j});
      parameters_.add({.name = fmt::format("A[{},{}]", i, j)}, A_(i, j));
    }
  }
  for (Eigen::Index i = 0; i < A_.rows() && spec.learn_b; ++i) {
    entries_.push_back({i, kOffset});
    parameters_.add({.name = fmt::format("b[{}]", i)}, b_[i]);
  }
}

LinearMean LinearMean::identity(int dim) {
  return LinearMean({.A = Eigen::MatrixXd::Identity(dim, dim), .b = {}});
}

void LinearMean::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  parameters_.set_values(values);
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const auto [i, j] = entries_[k];
    (j == kOffset ? b_[i] : A_(i, j)) = values[static_cast<Eigen::Index>(k)];
  }
}

int LinearMean::only_row(int j) const {
  return static_cast<int>(entries_[static_cast<std::size_t>(j)].row);
}

void LinearMean::values(const StepInput& /*input*/, const Eigen::MatrixXd& x,
                        Eigen::MatrixXd& out) const {
  if (unit_slope_) {
    out = x;
  } else {
    out.noalias() = A_ * x;
  }
  out.colwise() += b_;
}

void LinearMean::jacobian(const StepInput& /*input*/, const Eigen::VectorXd& /*x*/,
                          Eigen::MatrixXd& out) const {
  out = A_;
}

void LinearMean::pull_back(const StepInput& /*input*/, const Eigen::MatrixXd& /*x*/,
                           const Eigen::MatrixXd& cotangent, Eigen::MatrixXd& out) const {
  if (unit_slope_) {
    out = cotangent;
  } else {
    out.noalias() = A_.transpose() * cotangent;
  }
}

void LinearMean::parameter_pull_back(const StepInput& /*input*/, const Eigen::MatrixXd& x,
                                     const Eigen::MatrixXd& cotangent,
                                     Eigen::Ref<Eigen::MatrixXd> out) const {
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const auto [i, j] = entries_[k];
    auto row = out.row(static_cast<Eigen::Index>(k));
    row = cotangent.row(i);
    if (j != kOffset) row.array() *= x.row(j).array();
  }
}

void LinearMean::expectation(const StepInput& /*input*/, const Gaussian& x, Eigen::VectorXd& value,
                             Eigen::MatrixXd& slope) const {
  value = b_;
  if (unit_slope_) {
    value += x.mean;
  } else {
    value.noalias() += A_ * x.mean;
  }
  slope = A_;
}

void LinearMean::parameter_expectation(const StepInput& /*input*/, const Gaussian& x,
                                       Eigen::MatrixXd& value, Eigen::MatrixXd& slope) const {
  const Eigen::Index d = input_dim();
  value.resize(output_dim(), parameters_.size());
  slope.resize(output_dim(), d * parameters_.size());
  for (std::size_t entry = 0; entry < entries_.size(); ++entry) {
    const auto [i, j] = entries_[entry];
    const auto k = static_cast<Eigen::Index>(entry);
    slope.row(i).segment(k * d, d).setZero();
    value(i, k) = j == kOffset ? 1.0 : x.mean[j];
    if (j != kOffset) slope(i, k * d + j) = 1.0;
  }
}

}  // namespace ovf
