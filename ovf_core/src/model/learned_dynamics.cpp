#include "ovf/model/learned_dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ovf {
namespace {

// Of a central difference in the residual: m is nearly linear in it.
constexpr double kShift = 1e-4;

std::unique_ptr<ResidualFunction> make_function(const LearnedDynamicsSpec& spec) {
  if (spec.motion == nullptr) throw std::invalid_argument(spec.name + ": no motion is given");
  const int count = spec.motion->residual_dim();
  if (count < 1 || count > kDualDerivatives) {
    throw std::invalid_argument(
        fmt::format("{}: the motion takes a residual of {} numbers; "
                    "expected 1 to {}",
                    spec.name, count, kDualDerivatives));
  }
  ResidualNames names{.prefix = spec.name,
                      .outputs = {},
                      .inputs = spec.motion->residual_inputs(),
                      .prior_deviation = spec.prior_deviation};
  for (int i = 0; i < count; ++i) names.outputs.push_back(spec.motion->residual_name(i));
  if (spec.family == ResidualFamily::kNetwork) {
    return make_residual_network(names, spec.hidden, spec.seed);
  }
  return make_residual_features(names, spec.degree);
}

Eigen::VectorXd scales_of(const LearnedDynamicsSpec& spec) {
  const auto count = spec.motion->residual_inputs().size();
  if (spec.input_scales.empty()) {
    return Eigen::VectorXd::Ones(static_cast<Eigen::Index>(count));
  }
  if (spec.input_scales.size() != count) {
    throw std::invalid_argument(fmt::format("{}: {} input scales; expected {}", spec.name,
                                            spec.input_scales.size(), count));
  }
  for (const double scale : spec.input_scales) {
    if (std::isfinite(scale) && scale > 0.0) continue;
    throw std::invalid_argument(
        fmt::format("{}: an input scale is {}; expected a positive number", spec.name, scale));
  }
  return Eigen::Map<const Eigen::VectorXd>(spec.input_scales.data(),
                                           static_cast<Eigen::Index>(count));
}

}  // namespace

LearnedDynamics::LearnedDynamics(const LearnedDynamicsSpec& spec)
    : motion_(spec.motion), state_dim_(spec.state_dim), residual_function_(make_function(spec)) {
  own_dim_ = motion_->state_dim();
  residual_dim_ = motion_->residual_dim();
  scales_ = scales_of(spec);
  if (state_dim_ < own_dim_) {
    throw std::invalid_argument(fmt::format("{}: a state of {} dimensions; the motion has {}",
                                            spec.name, state_dim_, own_dim_));
  }
  parameters_.append(residual_function_->start());
  inputs_.resize(scales_.size());
  dual_in_.resize(static_cast<std::size_t>(state_dim_));
  dual_inputs_.resize(static_cast<std::size_t>(scales_.size()));
  dual_residual_.resize(static_cast<std::size_t>(residual_dim_));
  dual_out_.resize(static_cast<std::size_t>(own_dim_));
  // What is not the motion's own does not feel the residual: its rows stay zero.
  by_residual_.setZero(state_dim_, residual_dim_);
  by_residual_and_state_.setZero(state_dim_ * state_dim_, residual_dim_);
  inputs_slope_.resize(scales_.size(), state_dim_);
}

void LearnedDynamics::look_at(const StepInput& input, const double* x) const {
  motion_->residual_input_values(input, x, inputs_.data());
  inputs_.array() /= scales_.array();
  residual_function_->evaluate(parameters_.values(), inputs_, residual_, residual_slope_);
}

void LearnedDynamics::dual_step(const StepInput& input, const Eigen::VectorXd& x, int first,
                                int count, int shifted, double shift) const {
  for (int i = 0; i < state_dim_; ++i) {
    Dual& dual = dual_in_[static_cast<std::size_t>(i)];
    dual.value() = x[i];
    dual.derivatives().setZero();
    if (i >= first && i < first + count) dual.derivatives()[i - first] = 1.0;
  }
  motion_->residual_input_values(input, dual_in_.data(), dual_inputs_.data());
  for (int i = 0; i < residual_dim_; ++i) {
    Dual& dual = dual_residual_[static_cast<std::size_t>(i)];
    dual.value() = residual_[i] + (i == shifted ? shift : 0.0);
    dual.derivatives().setZero();
    for (Eigen::Index k = 0; k < scales_.size(); ++k) {
      dual.derivatives() += (residual_slope_(i, k) / scales_[k]) *
                            dual_inputs_[static_cast<std::size_t>(k)].derivatives();
    }
  }
  motion_->move(input, dual_in_.data(), dual_residual_.data(), dual_out_.data());
}

void LearnedDynamics::values(const StepInput& input, const Eigen::MatrixXd& x,
                             Eigen::MatrixXd& out) const {
  out.resize(state_dim_, x.cols());
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    look_at(input, x.col(k).data());
    motion_->move(input, x.col(k).data(), residual_.data(), out.col(k).data());
  }
  out.bottomRows(state_dim_ - own_dim_) = x.bottomRows(state_dim_ - own_dim_);
}

void LearnedDynamics::jacobian(const StepInput& input, const Eigen::VectorXd& x,
                               Eigen::MatrixXd& out) const {
  look_at(input, x.data());
  out.setIdentity(state_dim_, state_dim_);
  for (int first = 0; first < state_dim_; first += kDualDerivatives) {
    const int count = std::min(kDualDerivatives, state_dim_ - first);
    dual_step(input, x, first, count, -1, 0.0);
    for (int i = 0; i < own_dim_; ++i) {
      out.row(i).segment(first, count) =
          dual_out_[static_cast<std::size_t>(i)].derivatives().head(count).transpose();
    }
  }
}

void LearnedDynamics::pull_back(const StepInput& input, const Eigen::MatrixXd& x,
                                const Eigen::MatrixXd& cotangent, Eigen::MatrixXd& out) const {
  out.resize(state_dim_, x.cols());
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    point_ = x.col(k);
    jacobian(input, point_, jacobian_);
    out.col(k).noalias() = jacobian_.transpose() * cotangent.col(k);
  }
}

void LearnedDynamics::residual_effect(const StepInput& input, const Eigen::VectorXd& x) const {
  for (int i = 0; i < state_dim_; ++i) dual_in_[static_cast<std::size_t>(i)] = Dual(x[i]);
  for (int i = 0; i < residual_dim_; ++i) {
    dual_residual_[static_cast<std::size_t>(i)] = Dual(residual_[i], kDualDerivatives, i);
  }
  motion_->move(input, dual_in_.data(), dual_residual_.data(), dual_out_.data());
  for (int i = 0; i < own_dim_; ++i) {
    by_residual_.row(i) =
        dual_out_[static_cast<std::size_t>(i)].derivatives().head(residual_dim_).transpose();
  }
}

void LearnedDynamics::parameter_pull_back(const StepInput& input, const Eigen::MatrixXd& x,
                                          const Eigen::MatrixXd& cotangent,
                                          Eigen::Ref<Eigen::MatrixXd> out) const {
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    point_ = x.col(k);
    look_at(input, point_.data());
    residual_effect(input, point_);
    residual_function_->weight_derivatives(parameters_.values(), inputs_, by_weight_,
                                           by_weight_and_input_);
    cotangent_.noalias() = by_residual_.transpose() * cotangent.col(k);
    out.col(k).noalias() = by_weight_.transpose() * cotangent_;
  }
}

void LearnedDynamics::expectation(const StepInput& input, const Gaussian& x, Eigen::VectorXd& value,
                                  Eigen::MatrixXd& slope) const {
  jacobian(input, x.mean, slope);
  value = x.mean;
  motion_->move(input, x.mean.data(), residual_.data(), value.data());
}

void LearnedDynamics::bend_of_effect(const StepInput& input, const Eigen::VectorXd& x) const {
  for (int first = 0; first < state_dim_; first += kDualDerivatives) {
    const int count = std::min(kDualDerivatives, state_dim_ - first);
    for (int i = 0; i < residual_dim_; ++i) {
      auto all = by_residual_and_state_.col(i).reshaped(state_dim_, state_dim_);
      auto bend = all.middleCols(first, count);
      for (const double sign : {-1.0, 1.0}) {
        dual_step(input, x, first, count, i, sign * kShift);
        for (int row = 0; row < own_dim_; ++row) {
          const auto slope =
              dual_out_[static_cast<std::size_t>(row)].derivatives().head(count).transpose();
          if (sign < 0.0) {
            bend.row(row) = slope;
          } else {
            bend.row(row) = (slope - bend.row(row)) / (2.0 * kShift);
          }
        }
      }
    }
    for (Eigen::Index k = 0; k < scales_.size(); ++k) {
      inputs_slope_.row(k).segment(first, count) =
          dual_inputs_[static_cast<std::size_t>(k)].derivatives().head(count).transpose() /
          scales_[k];
    }
  }
}

void LearnedDynamics::parameter_expectation(const StepInput& input, const Gaussian& x,
                                            Eigen::MatrixXd& value, Eigen::MatrixXd& slope) const {
  const Eigen::Index d = state_dim_;
  const Eigen::Index inputs = scales_.size();
  look_at(input, x.mean.data());
  residual_effect(input, x.mean);
  bend_of_effect(input, x.mean);
  residual_function_->weight_derivatives(parameters_.values(), inputs_, by_weight_,
                                         by_weight_and_input_);
  // d/dx of (dm/dr)(x, r(x)) (dr/dw_j)(u(x)), the products for all weights at once.
  value.noalias() = by_residual_ * by_weight_;
  slope.resize(d, d * parameters_.size());
  slope.reshaped(d * d, parameters_.size()).noalias() = by_residual_and_state_ * by_weight_;
  through_inputs_.noalias() = by_residual_ * by_weight_and_input_;
  for (int j = 0; j < parameters_.size(); ++j) {
    slope.middleCols(j * d, d) +=
        through_inputs_.middleCols(j * inputs, inputs).lazyProduct(inputs_slope_);
  }
}

}  // namespace ovf
